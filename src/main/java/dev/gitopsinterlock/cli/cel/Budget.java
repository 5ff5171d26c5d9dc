package dev.gitopsinterlock.cli.cel;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The steps that rules may take, for a second or two: one rule, and all rules of one object together. And the time of all
 * rules of a run, because one step can search for hours.
 */
final class Budget {

    static final int OF_RULE = 1_000_000;

    private static final int OF_OBJECT = 2 * OF_RULE;

    private long ofObject = OF_OBJECT;
    private long ofRule = OF_RULE;

    private long nanosOfRun;

    Budget(Duration ofRun) {
        nanosOfRun = ofRun.toNanos();
    }

    /** What comes of it; empty where the run has no time left. Work that does not end in time is left to itself. */
    <T> Optional<T> withinTime(Callable<T> work) {
        if (nanosOfRun <= 0) {
            return Optional.empty();
        }
        var begin = System.nanoTime();
        var task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().start(task);
        try {
            return Optional.of(task.get(nanosOfRun, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            nanosOfRun -= System.nanoTime() - begin;
        }
    }

    void beginObject() {
        ofObject = OF_OBJECT;
    }

    void beginRule() {
        ofRule = OF_RULE;
    }

    void spend(long steps) {
        ofRule -= steps;
        ofObject -= steps;
        if (isSpent()) {
            throw new Exceeded();
        }
    }

    boolean isSpent() {
        return ofRule <= 0 || isSpentTogether();
    }

    /** By the rules before, too. */
    boolean isSpentTogether() {
        return ofObject <= 0;
    }

    /** There are no steps left. */
    private static final class Exceeded extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
