package dev.gitopsinterlock.system.differential;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;

/** Does several tasks at a time, and says how far it is. */
final class SideBySide {

    private static final int AT_ONCE = 16;
    private static final int TASKS_BETWEEN_LINES = 50;

    private SideBySide() {}

    /** Waits for the end of all; the first that fails ends the others. */
    static void run(String what, List<Callable<Void>> tasks) throws InterruptedException, ExecutionException {
        var workers = Executors.newFixedThreadPool(AT_ONCE);
        try {
            var completion = new ExecutorCompletionService<Void>(workers);
            tasks.forEach(completion::submit);
            for (int done = 1; done <= tasks.size(); done++) {
                completion.take().get();
                if (done % TASKS_BETWEEN_LINES == 0) {
                    System.out.printf("%s: %d of %d%n", what, done, tasks.size());
                }
            }
        } finally {
            workers.shutdownNow();
        }
    }
}
