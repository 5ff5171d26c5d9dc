package dev.gitopsinterlock.announced;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.RunningSync.Kind;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a hub announces, and that the cluster reads what was meant. */
class AnnouncementTest {

    private static final Instant BEGUN = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration LONGEST = Duration.ofHours(1);

    private static RunningSync sync(String namespace, String name, SyncHold hold, Instant begun) {
        return new RunningSync(Kind.APPLICATION, namespace, name, "default", Optional.of(hold), Optional.of(begun));
    }

    private static RunningSync sync(String name) {
        return sync("argocd", name, SyncHold.ENABLED, BEGUN);
    }

    private static List<Announcement> announced(RunningSync... syncs) {
        return Announcement.of(Stream.of(syncs));
    }

    /** Of a hub whose clock says so, in a cluster where it is a minute after one. */
    private static RunningSync read(RunningSync sync, Instant here) {
        var there = Instant.parse("2026-11-21T13:01:00Z");
        var lease = announced(sync).getFirst().lease(here, there);
        lease.withObject("/metadata").put("namespace", "interlock");
        return AnnouncedHold.of(lease)
                .orElseThrow()
                .at(there.plus(Announcement.DURATION).minusMillis(1), LONGEST)
                .orElseThrow();
    }

    @Test
    void aLeaseSaysWhatIsSyncedAndForHowLongByTheClockOfTheCluster() {
        assertThat(announced(sync("payments")))
                .singleElement()
                .extracting(each -> each.lease(BEGUN.plusSeconds(30), BEGUN.plusSeconds(3600)))
                .isEqualTo(Trees.json("""
                        {'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease',
                         'metadata': {'name': 'payments.argocd', 'labels': {
                           'gitops-interlock.dev/hold-rollouts': 'true', 'gitops-interlock.dev/announced-by': 'hub'}},
                         'spec': {'holderIdentity': 'hub', 'leaseDurationSeconds': 60,
                           'renewTime': '2026-11-21T13:00:00.000000Z', 'acquireTime': '2026-11-21T12:59:30.000000Z'}}
                        """));
    }

    @Test
    void theClusterReadsASyncThatIsAsOldAsItIs() {
        assertThat(read(sync("payments"), BEGUN.plusSeconds(60)))
                .isEqualTo(RunningSync.announced(
                        "interlock",
                        "payments.argocd, announced by hub",
                        Optional.empty(),
                        Instant.parse("2026-11-21T13:00:00Z")));
        assertThat(read(sync("payments"), BEGUN.minusSeconds(60)).begun())
                .as("begun by a clock ahead of the hub's")
                .hasValue(Instant.parse("2026-11-21T13:01:00Z"));
    }

    @Test
    void whatIsOnlyObservedIsOnlyObservedThere() {
        assertThat(read(sync("argocd", "payments", SyncHold.OBSERVE, BEGUN), BEGUN)
                        .isOnlyObserved())
                .isTrue();
    }

    @Test
    void namesAreValidShortAndOfOneApplication() {
        var long1 = "a".repeat(53) + ".payments-of-the-shop";
        var names = announced(
                        sync("payments"),
                        sync("team-a", "payments", SyncHold.ENABLED, BEGUN),
                        sync(long1 + "-1"),
                        sync(long1 + "-2"))
                .stream()
                .map(Announcement::name)
                .toList();

        assertThat(names)
                .hasSize(4)
                .doesNotHaveDuplicates()
                .contains("payments.argocd", "payments.team-a")
                .allMatch(name -> name.length() <= 63)
                .allMatch(name -> name.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*"));
    }

    /** Two source Namespaces that count as their Argo CD's. */
    @Test
    void ofTwoWithOneNameTheOneCountsThatHoldsLonger() {
        var later = sync("argocd", "payments", SyncHold.ENABLED, BEGUN.plusSeconds(1));
        var observed = sync("argocd", "payments", SyncHold.OBSERVE, BEGUN.plusSeconds(2));

        assertThat(announced(sync("payments"), later, observed)).isEqualTo(announced(later));
    }

    @Test
    void ofVeryManySomeAreAnnouncedAndThoseThatHoldFirst() {
        var many = Stream.concat(
                IntStream.range(0, 200).mapToObj(i -> sync("argocd", "a" + i, SyncHold.OBSERVE, BEGUN)),
                Stream.of(sync("z")));

        assertThat(Announcement.of(many))
                .hasSize(100)
                .first()
                .extracting(Announcement::name)
                .isEqualTo("z.argocd");
    }
}
