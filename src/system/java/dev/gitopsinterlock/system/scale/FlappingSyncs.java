package dev.gitopsinterlock.system.scale;

import dev.gitopsinterlock.testing.cluster.Applications;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A sync that begins and ends about every second. */
final class FlappingSyncs implements AutoCloseable {

    private static final long HALF_MILLIS = 500;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Applications applications;
    private final String name;
    private final AtomicInteger begun = new AtomicInteger();
    private boolean runs;

    FlappingSyncs(Applications applications, String name) {
        this.applications = applications;
        this.name = name;
        var _ = clock.scheduleWithFixedDelay(this::flap, 0, HALF_MILLIS, TimeUnit.MILLISECONDS);
    }

    int begun() {
        return begun.get();
    }

    private void flap() {
        if (runs) {
            applications.endSync(name);
        } else {
            applications.startSync(name);
            begun.incrementAndGet();
        }
        runs = !runs;
    }

    /** Leaves no sync behind. */
    @Override
    public void close() {
        clock.close();
        applications.endSync(name);
    }
}
