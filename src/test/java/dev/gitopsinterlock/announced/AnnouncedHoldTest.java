package dev.gitopsinterlock.announced;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which Leases hold rollouts at noon, and for how long. */
class AnnouncedHoldTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final SyncScope SCOPE = new SyncScope(List.of(), List.of(), LONGEST, List.of("interlock"));

    /** Renewed a minute ago, and valid for two. */
    private static ObjectNode lease() {
        return (ObjectNode) Trees.json("""
                {'metadata': {'namespace': 'interlock', 'name': 'payments',
                   'labels': {'gitops-interlock.dev/hold-rollouts': 'true'}},
                 'spec': {'holderIdentity': 'hub', 'leaseDurationSeconds': 120, 'acquireTime': '2026-11-21T11:30:00.000000Z',
                   'renewTime': '2026-11-21T11:59:00.000000Z'}}
                """);
    }

    private static Optional<RunningSync> sync(ObjectNode lease) {
        return AnnouncedHold.of(lease).flatMap(hold -> hold.at(NOON, LONGEST)).filter(sync -> SCOPE.counts(sync, NOON));
    }

    @Test
    void whatIsAnnouncedIsToldWithWhoAnnouncesIt() {
        assertThat(sync(lease()))
                .hasValue(RunningSync.announced(
                        "interlock",
                        "payments, announced by hub",
                        Optional.empty(),
                        Instant.parse("2026-11-21T11:30:00Z")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "valid                          | true  | {}",
                "only observed                  | true  | {'/metadata/annotations': {'gitops-interlock.dev/sync-hold': 'Observe'}}",
                "opted out                      | false | {'/metadata/annotations': {'gitops-interlock.dev/sync-hold': 'Disabled'}}",
                "in another Namespace           | false | {'/metadata/namespace': 'tenant'}",
                "without the label              | false | {'/metadata/labels': null}",
                "with another word              | false | {'/metadata/labels': {'gitops-interlock.dev/hold-rollouts': 'false'}}",
                "without a holder               | false | {'/spec/holderIdentity': null}",
                "released                       | false | {'/spec/holderIdentity': ''}",
                "without anything               | false | {'/spec': null}",
                "never renewed                  | false | {'/spec/renewTime': null}",
                "renewed at no time             | false | {'/spec/renewTime': 'yesterday'}",
                "without duration               | false | {'/spec/leaseDurationSeconds': null}",
                "of no duration                 | false | {'/spec/leaseDurationSeconds': 0}",
                "of less                        | false | {'/spec/leaseDurationSeconds': -120}",
                "a second before it expires     | true  | {'/spec/leaseDurationSeconds': 61}",
                "expires now                    | false | {'/spec/leaseDurationSeconds': 60}",
                "huge                           | true  | {'/spec/leaseDurationSeconds': 2147483647}",
                "huge and not renewed           | false | {'/spec/leaseDurationSeconds': 2147483647, '/spec/acquireTime': null,"
                        + " '/spec/renewTime': '2026-11-21T11:00:00Z'}",
                "huge, of a clock years ahead   | false | {'/spec/leaseDurationSeconds': 2147483647,"
                        + " '/spec/renewTime': '2031-11-21T12:00:00Z'}",
                "not acquired                   | true  | {'/spec/acquireTime': null}",
                "made just now                  | true  | {'/spec/acquireTime': null,"
                        + " '/metadata/creationTimestamp': '2026-11-21T11:30:00Z'}",
                "made too long ago              | false | {'/spec/acquireTime': null,"
                        + " '/metadata/creationTimestamp': '2026-11-21T08:00:00Z'}",
                "acquired too long ago          | false | {'/spec/acquireTime': '2026-11-21T11:00:00Z'}",
                "of a clock a little ahead      | true  | {'/spec/renewTime': '2026-11-21T12:01:59Z'}",
                "of a clock further ahead       | false | {'/spec/renewTime': '2026-11-21T12:02:00Z'}",
                "of a clock an hour behind      | false | {'/spec/renewTime': '2026-11-21T11:00:00Z'}"
            })
    void holdsOrNot(String what, boolean holds, String change) {
        var lease = lease();
        Trees.change(lease, Trees.json(change));

        assertThat(sync(lease).isPresent()).as(what).isEqualTo(holds);
    }

    /** Anybody who may write a Lease chooses it. */
    @Test
    void theHolderIsOneShortLine() {
        var lease = lease();
        lease.withObject("/spec").put("holderIdentity", "a\nb\u001b[31m" + "c".repeat(1000));

        assertThat(sync(lease).orElseThrow().name())
                .startsWith("payments, announced by a b [31mccc")
                .hasSize("payments, announced by ".length() + 63)
                .doesNotContain("\n", "\u001b");
    }

    @Test
    void whatIsOnlyObservedIsThat() {
        var lease = lease();
        Trees.change(lease, Trees.json("{'/metadata/annotations': {'gitops-interlock.dev/sync-hold': 'Observe'}}"));

        assertThat(sync(lease).flatMap(RunningSync::syncHold)).hasValue(SyncHold.OBSERVE);
    }
}
