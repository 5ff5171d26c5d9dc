package dev.gitopsinterlock.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.cluster.api.EventSeries.Begun;
import dev.gitopsinterlock.cluster.api.EventSeries.Continued;
import dev.gitopsinterlock.cluster.api.EventSeries.Step;
import dev.gitopsinterlock.cluster.api.EventSeries.Untold;
import dev.gitopsinterlock.cluster.api.Events.Happening;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventSeriesTest {

    private final EventSeries series = new EventSeries();
    private final FakeClock clock = new FakeClock();

    @Test
    void theSameIsOneEventThatIsBroughtUpToDateAfterAPause() {
        assertThat(happened("u", "no")).isInstanceOf(Begun.class);
        for (int i = 0; i < 5; i++) {
            assertThat(happened("u", "no")).isInstanceOf(Untold.class);
        }
        clock.pass(Duration.ofSeconds(10));

        assertThat(happened("u", "no"))
                .isInstanceOfSatisfying(
                        Continued.class,
                        continued -> assertThat(continued.count()).isEqualTo(7));
        assertThat(happened("u", "no")).isInstanceOf(Untold.class);
    }

    @Test
    void anotherObjectOrAnotherTextIsAnotherEvent() {
        happened("u", "no");

        assertThat(happened("v", "no")).isInstanceOf(Begun.class);
        assertThat(happened("u", "never")).isInstanceOf(Begun.class);
    }

    @Test
    void whatMayNotBeToldNowIsCountedForLater() {
        happened("u", "no");
        clock.pass(Duration.ofSeconds(10));
        assertThat(series.next(key("u", "no"), clock.nanoTime(), () -> false)).isInstanceOf(Untold.class);

        assertThat(happened("u", "no"))
                .isInstanceOfSatisfying(
                        Continued.class,
                        continued -> assertThat(continued.count()).isEqualTo(3));
    }

    @Test
    void whatMayNotBeginIsNotCounted() {
        assertThat(series.next(key("u", "no"), clock.nanoTime(), () -> false)).isInstanceOf(Untold.class);

        assertThat(happened("u", "no")).isInstanceOf(Begun.class);
    }

    @Test
    void whatIsForgottenBeginsAnew() {
        happened("u", "no");
        series.forget(key("u", "no"));

        assertThat(happened("u", "no")).isInstanceOf(Begun.class);
    }

    @Test
    void theOldestAreForgotten() {
        for (int i = 0; i < 1000; i++) {
            happened("u" + i, "no");
        }
        happened("u0", "no");
        happened("one more", "no");

        assertThat(happened("u0", "no")).as("was used since").isInstanceOf(Untold.class);
        assertThat(happened("u1", "no")).isInstanceOf(Begun.class);
    }

    private Step happened(String uid, String note) {
        return series.next(key(uid, note), clock.nanoTime(), () -> true);
    }

    private static EventSeries.Key key(String uid, String note) {
        return EventSeries.Key.of(
                new ObjectReference("batch/v1", "Job", "shop", "db-migrate", uid),
                new Happening("Warning", "EditRefused", "Refuse", note));
    }
}
