package dev.gitopsinterlock.cluster.api;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Passes only by pauses, and when it is told to. */
public final class FakeClock implements ProcessClock {

    public static final Instant BEGIN = Instant.parse("2026-11-21T12:00:00Z");

    private final List<Duration> pauses = new ArrayList<>();
    private Duration passed = Duration.ZERO;

    @Override
    public Instant now() {
        return BEGIN.plus(passed);
    }

    @Override
    public long nanoTime() {
        return passed.toNanos();
    }

    @Override
    public void pause(Duration time) {
        pauses.add(time);
        pass(time);
    }

    public void pass(Duration time) {
        passed = passed.plus(time);
    }

    /** Of a machine whose clock is so much ahead. */
    public ProcessClock ahead(Duration time) {
        return new ProcessClock() {
            @Override
            public Instant now() {
                return FakeClock.this.now().plus(time);
            }

            @Override
            public long nanoTime() {
                return FakeClock.this.nanoTime();
            }

            @Override
            public void pause(Duration pause) {
                FakeClock.this.pause(pause);
            }
        };
    }

    /** All that were asked for, in their order. */
    public List<Duration> pauses() {
        return List.copyOf(pauses);
    }
}
