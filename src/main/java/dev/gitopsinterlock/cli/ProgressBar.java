package dev.gitopsinterlock.cli;

import java.io.PrintWriter;

/**
 * One line of a terminal that is written again and again.
 *
 * @param terminal to write to
 * @param isShown whether there is one
 */
record ProgressBar(PrintWriter terminal, boolean isShown) {

    private static final int WIDTH = 30;

    void show(int done, int remaining) {
        if (isShown && done + remaining > 0) {
            var full = (int) ((long) WIDTH * done / (done + remaining));
            terminal.printf(
                    "\r[%s%s] %d of about %d", "#".repeat(full), ".".repeat(WIDTH - full), done, done + remaining);
            terminal.flush();
        }
    }

    /** Leaves nothing behind. */
    void clear() {
        if (isShown) {
            terminal.print("\r\u001b[K");
            terminal.flush();
        }
    }
}
