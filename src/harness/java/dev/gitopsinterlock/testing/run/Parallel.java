package dev.gitopsinterlock.testing.run;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** The same for many numbers. */
public final class Parallel {

    private Parallel() {}

    /** Runs the task for 0 and so on, so many at a time, and waits for all; fails by one of their failures. */
    public static void run(int atATime, int count, IntConsumer task) {
        try (var threads = Executors.newFixedThreadPool(Math.clamp(atATime, 1, Math.max(count, 1)))) {
            var all = IntStream.range(0, count)
                    .mapToObj(number -> threads.submit(() -> task.accept(number)))
                    .toList();
            for (var each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
