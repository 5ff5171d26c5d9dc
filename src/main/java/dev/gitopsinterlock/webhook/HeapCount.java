package dev.gitopsinterlock.webhook;

/**
 * Counts what a tree takes of the heap while it is read, and ends the reading where that is more than allowed. Figures
 * are those of a 64-bit JVM with compressed pointers, rounded up. For one thread.
 */
final class HeapCount {

    private final long limit;
    private long bytes;
    private boolean isOpen = true;

    HeapCount(long limit) {
        this.limit = limit;
    }

    /** The tree takes more than allowed. Carries no stack: it is thrown at what strangers send. */
    static final class Exceeded extends RuntimeException {

        private static final long serialVersionUID = 1;

        Exceeded() {
            super("the tree takes more of the heap than allowed", null, false, false);
        }
    }

    void add(long more) {
        if (isOpen) {
            bytes += more;
            if (bytes > limit) {
                throw new Exceeded();
            }
        }
    }

    long bytes() {
        return bytes;
    }

    /** What is done with the tree from here on is not counted. */
    void close() {
        isOpen = false;
    }
}
