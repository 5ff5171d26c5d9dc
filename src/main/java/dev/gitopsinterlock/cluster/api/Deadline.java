package dev.gitopsinterlock.cluster.api;

import java.time.Duration;

/** The moment at which the API server stops waiting for an answer. By the monotonic clock of this process. */
public final class Deadline {

    private static final ProcessClock SYSTEM = new SystemClock();

    private final ProcessClock clock;
    private final long nanoTime;

    private Deadline(ProcessClock clock, long nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    public static Deadline in(Duration time) {
        return in(SYSTEM, time);
    }

    public static Deadline in(ProcessClock clock, Duration time) {
        return since(clock, clock.nanoTime(), time);
    }

    /**
     * For time that began to run before.
     *
     * @param begin a value of {@link System#nanoTime}
     */
    public static Deadline since(long begin, Duration time) {
        return since(SYSTEM, begin, time);
    }

    public static Deadline since(ProcessClock clock, long begin, Duration time) {
        return new Deadline(clock, begin + time.toNanos());
    }

    /** Negative once it has passed. */
    public Duration remaining() {
        return Duration.ofNanos(nanoTime - clock.nanoTime());
    }

    public Deadline orEarlier(Deadline other) {
        return nanoTime - other.nanoTime <= 0 ? this : other;
    }

    public Deadline earlierBy(Duration time) {
        return new Deadline(clock, nanoTime - time.toNanos());
    }

    public boolean leaves(Duration time) {
        return remaining().compareTo(time) >= 0;
    }
}
