package dev.gitopsinterlock.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.page.Timeline.Bar;
import dev.gitopsinterlock.page.Timeline.Span;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.status.Condition;
import dev.gitopsinterlock.status.Condition.State;
import dev.gitopsinterlock.status.Facts.ReplacementState;
import dev.gitopsinterlock.status.Facts.Watch;
import dev.gitopsinterlock.status.When;
import dev.gitopsinterlock.testing.review.KnownCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page says of what a replica knows. */
class StatusPageTest {

    private static final Instant NOW = SampleFacts.NOW;

    private final SampleFacts given = new SampleFacts();

    @Test
    void nothingNeedsALookWhereAllIsWell() {
        given.caches.add(new Watch("namespaces", Watch.State.WATCHED, 3));
        given.caches.add(new Watch("applications", Watch.State.ABSENT, 0));

        assertThat(given.page().look()).isEmpty();
        assertThat(given.page().conditions()).extracting(Condition::state).containsOnly(State.FINE);
    }

    @Test
    void nothingNeedsALookWhereAllIsOff() {
        given.off().caches.add(new Watch("namespaces", Watch.State.OFF, 0));

        assertThat(given.page().look()).isEmpty();
        assertThat(given.page().webhooks()).extracting(WebhookRow::setting).contains("Reject", "Disabled", "Off");
    }

    @Test
    void theGateSaysWhichSyncsRolloutsWaitFor() {
        assertThat(given.page().webhooks())
                .extracting(WebhookRow::how)
                .anyMatch(how -> how.startsWith(
                        "Wait for syncs of Applications in *, and those that Leases announce in interlock: at most "));
    }

    @Test
    void whatIsWrongNeedsALookAndHasAPage() {
        given.isBreakGlassOn = true;
        given.certificate = SampleFacts.certificate(Duration.ofDays(1), Optional.empty());
        given.replacement = new ReplacementState(true, false, "off: the API server does not answer", true);
        given.caches.add(new Watch("applications", Watch.State.FORBIDDEN, 0));
        given.caches.add(new Watch("namespaces", Watch.State.LOST, 0));

        assertThat(given.page().look())
                .extracting(Condition::name)
                .containsExactly(
                        "Break glass", "Certificate", "Replacement", "Watch on applications", "Watch on namespaces");
        assertThat(given.page().look())
                .allSatisfy(each -> assertThat(each.page()).isNotEmpty());
    }

    @Test
    void aCertificateThatIsNotServedNeedsALook() {
        given.certificate = SampleFacts.certificate(Duration.ofDays(60), Optional.of("NOT_YET_VALID"));

        assertThat(given.page().look())
                .singleElement()
                .extracting(Condition::text)
                .asString()
                .contains("not fit to be served: not yet valid");
    }

    @Test
    void aRolloutIsOnTheLineFromItsBeginningToItsLatestEnd() {
        given.held(NOW.minus(Duration.ofMinutes(5)), "worker", "worker-1");
        given.held(NOW.minus(Duration.ofMinutes(4)), "worker", "worker-0");

        var timeline = given.page().timeline();
        assertThat(timeline.now()).isEqualTo("23.81%");
        assertThat(timeline.ticks())
                .extracting(Timeline.Tick::time)
                .startsWith("13:55:00")
                .endsWith("14:16:00");
        assertThat(timeline.bars())
                .singleElement()
                .satisfies(bar -> assertThat(bar.words())
                        .isEqualTo("Held since 13:55:00 (5 min); goes on at 14:16:00 at the latest (in 16 min)."))
                .extracting(Bar::scope, Bar::state, Bar::nodes, Bar::syncs, Bar::elapsed, Bar::ahead)
                .containsExactly(
                        "pool worker",
                        "held",
                        List.of("worker-0", "worker-1"),
                        List.of("payments"),
                        new Span("0.00%", "23.81%"),
                        new Span("23.81%", "76.19%"));
    }

    @Test
    void aRolloutThatIsOnlyObservedNamesItsNodesToo() {
        given.gate = new GatePolicy(
                SyncHold.OBSERVE, given.gate.maxHold(), given.gate.maxHoldRequired(), given.gate.scope(), false, false);
        given.held(NOW.minus(Duration.ofMinutes(5)), "worker", "worker-1");
        given.held(NOW.minus(Duration.ofMinutes(4)), "worker", "worker-0");

        assertThat(given.page().timeline().bars())
                .singleElement()
                .extracting(Bar::state, Bar::nodes)
                .containsExactly("observed", List.of("worker-0", "worker-1"));
    }

    @Test
    void aRolloutThatHasGoneOnIsStillShown() {
        given.held(NOW.minus(Duration.ofMinutes(5)), "worker", "worker-1");
        var nothing = new KnownCluster(Optional.empty(), Optional.empty(), Optional.empty());
        given.holds.ended(nothing.makers(), Optional.of(List.of()), given.gate, NOW.minus(Duration.ofMinutes(1)));

        assertThat(given.page().held()).isZero();
        assertThat(given.page().timeline().bars())
                .singleElement()
                .extracting(Bar::state, Bar::words, Bar::nodes, Bar::elapsed, Bar::override)
                .containsExactly(
                        "ended",
                        "Held for 4 min, until 13:59:00: the cluster cannot be read.",
                        List.of("worker-1"),
                        new Span("0.00%", "80.00%"),
                        "");
    }

    @Test
    void policiesOfNamespacesAreThoseOfTheRule() {
        given.namespaces = Map.of(
                "shop", Map.of("gitops-interlock.dev/on-immutable-change", "Replace"),
                "blog", Map.of("gitops-interlock.dev/on-immutable-change", "Repalce"),
                "locked", Map.of("gitops-interlock.dev/break-glass", "true"),
                "open", Map.of("gitops-interlock.dev/break-glass", "yes"),
                "kube-system", Map.of("gitops-interlock.dev/break-glass", "on"));

        assertThat(given.page().policies())
                .extracting(PolicyRow::namespace, PolicyRow::onImmutableChange, PolicyRow::whenActive)
                .containsExactly(
                        tuple("blog", "Reject", ""),
                        tuple("kube-system", "Exempt", ""),
                        tuple("locked", "Reject", ""),
                        tuple("open", "Reject", ""),
                        tuple("shop", "Replace", "Reject"));
        assertThat(given.page().policies().getFirst().notes())
                .singleElement()
                .asString()
                .contains("Repalce is unknown");
        assertThat(given.page().policies().get(2).notes()).containsExactly("Break glass is on: nothing is judged here");
        assertThat(given.page().look())
                .singleElement()
                .extracting(Condition::text, Condition::page)
                .containsExactly(
                        "Annotations without effect, in Namespaces: blog, kube-system, open", "UnknownPolicyValue");
    }

    @Test
    void ofManyNamespacesTheFirstAreShown() {
        var many = new TreeMap<String, Map<String, String>>();
        IntStream.range(0, 250).forEach(i -> many.put("ns-" + i, Map.of("gitops-interlock.dev/generate-name", "true")));
        given.namespaces = many;

        assertThat(given.page().policies()).hasSize(PolicyRow.MOST);
        assertThat(given.page().more()).isEqualTo(151);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 s",
        "PT59S, 59 s",
        "PT1M, 1 min",
        "PT5M7S, 5 min 7 s",
        "PT25M7S, 25 min",
        "PT1H5M, 1 h 5 min",
        "PT47H, 1 d 23 h",
        "P30DT5H, 30 d"
    })
    void durationsAreInUnitsThatSaySomething(Duration duration, String words) {
        assertThat(When.words(duration)).isEqualTo(words);
    }

    @Test
    void aMomentOfAnotherDayHasItsDay() {
        assertThat(When.of(NOW.minus(Duration.ofDays(1)), NOW))
                .isEqualTo(new When("2026-11-20T14:00:00Z", "2026-11-20 14:00", "1 d ago"));
    }
}
