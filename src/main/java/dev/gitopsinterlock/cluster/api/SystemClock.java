package dev.gitopsinterlock.cluster.api;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

@Singleton
final class SystemClock implements ProcessClock {

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            // half a replacement is worse than a late end
            Thread.currentThread().interrupt();
        }
    }
}
