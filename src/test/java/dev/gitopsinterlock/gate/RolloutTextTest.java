package dev.gitopsinterlock.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.gate.Holder.Jobs;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.Rollout.Retrigger;
import dev.gitopsinterlock.testing.review.Gates;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The words about rollouts that wait. */
class RolloutTextTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Optional<Retrigger> RETRIGGER =
            Optional.of(new Retrigger("oc annotate", Duration.ofSeconds(82)));
    private static final GuidancePages PAGES = PackagedPages.withoutAddress();

    @Property(tries = 500)
    void warningIsOneShortLine(@ForAll("names") List<String> pools, @ForAll("syncs") Syncs syncs) {
        var words = new RolloutAhead(pools, syncs, NOON).text(PAGES);

        assertThat(words).hasSizeLessThanOrEqualTo(Warning.MAX_LENGTH).doesNotContain("\n");
        assertThat(words).endsWith("until 12:00 UTC at the latest");
    }

    @Property(tries = 500)
    void refusalIsOneLineUnderAKilobyte(@ForAll("syncs") Syncs syncs) {
        var held = new RolloutHeld(Gates.pool("w".repeat(63)), "n".repeat(253), syncs, NOON, NOON);

        assertThat(held.message(PAGES)).hasSizeLessThan(Denial.MAX_LENGTH).doesNotContain("\n");
    }

    @Test
    void oneSyncIsOne() {
        assertThat(new RolloutHeld(Gates.pool("worker"), "", new Syncs(List.of("payments")), NOON, NOON).reason())
                .isEqualTo("held: Argo CD sync payments is running; until 12:00 UTC at the latest");
    }

    @Test
    void fluxReconciles() {
        assertThat(held(new Syncs(List.of(), List.of("apps/shop"), List.of())).startNote())
                .isEqualTo(
                        "held: Flux Kustomization apps/shop is reconciling; until 12:00 UTC at the latest; Node worker-1"
                                + " is next");
        assertThat(held(new Syncs(List.of("payments"), List.of("apps/shop", "apps/till"), List.of()))
                        .reason())
                .isEqualTo("held: Argo CD sync payments is running, Flux Kustomizations apps/shop, apps/till are"
                        + " reconciling; until 12:00 UTC at the latest");
        assertThat(new RolloutAhead(List.of("worker"), new Syncs(List.of(), List.of("apps/shop"), List.of()), NOON)
                        .text(PAGES))
                .isEqualTo("worker: rollout waits for Flux Kustomization apps/shop, until 12:00 UTC at the latest");
        assertThat(new RolloutAhead(
                                List.of("worker"),
                                new Syncs(List.of("payments"), List.of("apps/shop"), List.of()),
                                NOON)
                        .text(PAGES))
                .isEqualTo("worker: rollout waits for Argo CD sync payments, Flux, until 12:00 UTC at the latest");
    }

    @Test
    void whatIsAnnouncedIsToldWithWhoAnnouncesIt() {
        var announced = List.of("payments, announced by hub");
        var all = new Syncs(List.of("shop"), List.of("apps/shop"), announced);

        assertThat(held(new Syncs(List.of(), List.of(), announced)).reason())
                .isEqualTo("held: payments, announced by hub, is running; until 12:00 UTC at the latest");
        assertThat(held(all).reason())
                .isEqualTo("held: Argo CD sync shop is running, Flux Kustomization apps/shop is reconciling, payments,"
                        + " announced by hub, is running; until 12:00 UTC at the latest");
        assertThat(ahead(new Syncs(List.of(), List.of(), announced)))
                .isEqualTo("worker: rollout waits for payments, announced by hub, until 12:00 UTC at the latest");
        assertThat(ahead(new Syncs(List.of(), List.of("apps/shop"), announced)))
                .isEqualTo("worker: rollout waits for payments, announced by hub, Flux, until 12:00 UTC at the latest");
        assertThat(ahead(all))
                .isEqualTo("worker: rollout waits for Argo CD sync shop, etc., until 12:00 UTC at the latest");
    }

    /** Neither takes the other's room. */
    @Test
    void aLongLeaseIsToldWithWhoAnnouncesIt() {
        var long63 = "l".repeat(63);
        var announced = List.of(long63 + ", announced by " + long63.replace('l', 'h'));

        assertThat(held(new Syncs(List.of(), List.of(), announced)).reason())
                .startsWith("held: " + announced.getFirst() + ", is running; until");
    }

    private static String ahead(Syncs syncs) {
        return new RolloutAhead(List.of("worker"), syncs, NOON).text(PAGES);
    }

    @Test
    void jobsAreNamedWithTheirNode() {
        assertThat(held(new Jobs(List.of("Job shop/migrate"))).message(PAGES))
                .startsWith(
                        "held: Job shop/migrate runs on Node worker-1; until 12:00 UTC at the latest. To let pool worker"
                                + " go on now (Node worker-1 is next): oc annotate");
        assertThat(held(new Jobs(List.of("Job shop/migrate", "Pod shop/backup")))
                        .reason())
                .startsWith("held: Job shop/migrate, Pod shop/backup run on Node worker-1; until");
    }

    @Test
    void theBeginningNamesTheNextNode() {
        assertThat(held(new Syncs(List.of("payments"))).startNote())
                .isEqualTo(
                        "held: Argo CD sync payments is running; until 12:00 UTC at the latest; Node worker-1 is next");
    }

    /** Its maker has doubled its waits by then. */
    @Test
    void afterALongHoldTheEndSaysHowToGoOnAtOnce() {
        assertThat(RolloutText.goesOn(Duration.ofSeconds(19), "syncs ended", RETRIGGER))
                .isEqualTo("goes on after 0 min 19 s: syncs ended");
        assertThat(RolloutText.goesOn(Duration.ofSeconds(130), "syncs ended", RETRIGGER))
                .isEqualTo(
                        "goes on after 2 min 10 s: syncs ended. The next try can take as long again, at most 82 s; to have"
                                + " it now: oc annotate");
    }

    private static RolloutHeld held(Holder holder) {
        return new RolloutHeld(Gates.pool("worker"), "worker-1", holder, NOON, NOON);
    }

    @Test
    void aTimeIsNeverTooEarly() {
        assertThat(new RolloutHeld(Gates.pool("worker"), "", new Syncs(List.of("payments")), NOON, NOON.plusMillis(1))
                        .reason())
                .contains("until 12:01 UTC");
    }

    @Provide
    Arbitrary<Syncs> syncs() {
        return Arbitraries.oneOf(
                names().map(Syncs::new),
                names().map(names -> new Syncs(List.of(), names, List.of())),
                names().map(names -> new Syncs(List.of(), List.of(), names)),
                Combinators.combine(names(), names(), names()).as(Syncs::new));
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
