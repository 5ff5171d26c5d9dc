package dev.gitopsinterlock.cluster;

import java.time.Duration;

/** The moment at which the API server stops waiting for an answer. By the monotonic clock of this process. */
public record Deadline(long nanoTime) {

    public static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    /**
     * For time that began to run before.
     *
     * @param begin a value of {@link System#nanoTime}
     */
    public static Deadline since(long begin, Duration time) {
        return new Deadline(begin + time.toNanos());
    }

    /** Negative once it has passed. */
    public Duration remaining() {
        return Duration.ofNanos(nanoTime - System.nanoTime());
    }

    Deadline orEarlier(Deadline other) {
        return nanoTime - other.nanoTime <= 0 ? this : other;
    }

    Deadline earlierBy(Duration time) {
        return new Deadline(nanoTime - time.toNanos());
    }

    boolean leaves(Duration time) {
        return remaining().compareTo(time) >= 0;
    }
}
