package dev.gitopsinterlock.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LogRateLimiterTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T09:00:00Z"));
    private final LogRateLimiter complaints = new LogRateLimiter(now::get);

    @Test
    void firstOneIsLetThrough() {
        assertThat(complaints.next()).hasValue(0);
    }

    @Test
    void othersWithinTheMinuteAreHeldBack() {
        complaints.next();
        pass(59);

        assertThat(complaints.next()).isEmpty();
    }

    @Test
    void oneAMinuteLaterTellsHowManyWereHeldBack() {
        complaints.next();
        complaints.next();
        complaints.next();
        pass(60);

        assertThat(complaints.next()).hasValue(2);
    }

    @Test
    void countBeginsAnewWithEachOneLetThrough() {
        complaints.next();
        complaints.next();
        pass(60);
        complaints.next();
        pass(60);

        assertThat(complaints.next()).hasValue(0);
    }

    private void pass(int seconds) {
        now.updateAndGet(instant -> instant.plusSeconds(seconds));
    }
}
