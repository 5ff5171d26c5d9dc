package dev.gitopsinterlock.cluster.api;

import java.time.Duration;

/** Lets a burst through and then one after each interval. Thread-safe. */
final class TokenBucket {

    private final int burst;
    private final long intervalNanos;
    private long tokens;
    private long filledAt;
    private boolean used;

    TokenBucket(int burst, Duration interval) {
        this.burst = burst;
        this.intervalNanos = interval.toNanos();
        this.tokens = burst;
    }

    /** Whether there is one left. {@code nanoTime} as of System. */
    synchronized boolean take(long nanoTime) {
        if (!used) {
            used = true;
            filledAt = nanoTime;
        }
        var earned = (nanoTime - filledAt) / intervalNanos;
        tokens = Math.min(burst, tokens + earned);
        filledAt += earned * intervalNanos;
        if (tokens == 0) {
            return false;
        }
        tokens--;
        return true;
    }
}
