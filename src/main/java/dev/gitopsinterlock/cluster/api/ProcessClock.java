package dev.gitopsinterlock.cluster.api;

import java.time.Duration;
import java.time.Instant;

/** Time as this process has it, and pauses. Thread-safe. */
public interface ProcessClock {

    /** By the clock of the machine, which may be set. */
    Instant now();

    /** Monotonic; says something only beside another value of its own. */
    long nanoTime();

    /** Blocks for so long; shorter where the thread is interrupted, which it still is then. */
    void pause(Duration time);
}
