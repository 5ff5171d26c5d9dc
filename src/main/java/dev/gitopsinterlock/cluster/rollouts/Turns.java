package dev.gitopsinterlock.cluster.rollouts;

import dev.gitopsinterlock.cluster.api.Deadline;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A few at a time ask the API server, while a review waits. Thread-safe. */
final class Turns {

    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final Semaphore permits;

    Turns(int atATime) {
        this.permits = new Semaphore(atATime);
    }

    /** Waits for a turn, which {@link #end} ends; false where none comes in time. */
    boolean begin(Deadline deadline) {
        try {
            return permits.tryAcquire(patience(deadline).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void end() {
        permits.release();
    }

    /** What one question may take of the time that there is. */
    static Duration patience(Deadline deadline) {
        var left = deadline.remaining();
        return left.compareTo(LONGEST) < 0 ? left : LONGEST;
    }
}
