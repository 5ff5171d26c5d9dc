package dev.gitopsinterlock.testing.run;

import java.time.Duration;
import java.util.List;

/** What a share of all took at most. */
public final class Percentile {

    private Percentile() {}

    /** By the nearest rank, of durations in their order. */
    public static Duration of(List<Duration> sorted, int percent) {
        var rank = Math.ceilDiv(sorted.size() * percent, 100);
        return sorted.get(Math.max(rank, 1) - 1);
    }
}
