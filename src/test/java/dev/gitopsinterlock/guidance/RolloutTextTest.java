package dev.gitopsinterlock.guidance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.machineconfig.RolloutAhead;
import dev.gitopsinterlock.machineconfig.RolloutHeld;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The words about rollouts that wait. */
class RolloutTextTest {

    @Property(tries = 500)
    void warningIsOneShortLine(@ForAll("names") List<String> pools, @ForAll("names") List<String> syncs) {
        var words = new RolloutAhead(pools, syncs, Samples.NOON).text(Samples.PAGES);

        assertThat(words).hasSizeLessThanOrEqualTo(Warning.MAX_LENGTH).doesNotContain("\n");
        assertThat(words).endsWith("until 12:00 UTC at the latest");
    }

    @Property(tries = 500)
    void refusalIsOneLineUnderAKilobyte(@ForAll("names") List<String> syncs) {
        var held = new RolloutHeld("w".repeat(63), syncs, Samples.NOON, Samples.NOON);

        assertThat(held.message(Samples.PAGES))
                .hasSizeLessThan(Denial.MAX_LENGTH)
                .doesNotContain("\n");
    }

    @Test
    void oneSyncIsOne() {
        assertThat(new RolloutHeld("worker", List.of("payments"), Samples.NOON, Samples.NOON).reason())
                .isEqualTo("held: Argo CD sync payments is running; until 12:00 UTC at the latest");
    }

    @Test
    void aTimeIsNeverTooEarly() {
        assertThat(new RolloutHeld("worker", List.of("payments"), Samples.NOON, Samples.NOON.plusMillis(1)).reason())
                .contains("until 12:01 UTC");
    }

    @Provide
    Arbitrary<List<String>> names() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .ofMinLength(1)
                .ofMaxLength(253)
                .list()
                .ofMinSize(1)
                .ofMaxSize(40);
    }
}
