package dev.gitopsinterlock.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.RunningSync.Kind;
import dev.gitopsinterlock.gate.Hold.End;
import dev.gitopsinterlock.gate.Holder.Jobs;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.testing.review.Gates;
import dev.gitopsinterlock.testing.review.KnownCluster;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a hold is over, and why. */
class HoldTest {

    private static final Instant BEGIN = Instant.parse("2026-11-21T12:00:00Z");
    private static final GatePolicy POLICY = Gates.ENABLED;
    private static final RunningSync SYNC = KnownCluster.sync(BEGIN);
    private static final Hold HOLD = new Hold(
            KnownCluster.rollout(pool("u", "b", ""), "b"),
            BEGIN,
            new RolloutHeld(
                    KnownCluster.rollout(pool("u", "b", ""), "b").scope(),
                    "",
                    new Syncs(List.of("payments")),
                    BEGIN,
                    BEGIN.plusSeconds(20 * 60)),
            false,
            List.of());

    private static final Hold OBSERVED = new Hold(HOLD.rollout(), BEGIN, HOLD.held(), true, List.of());

    @Test
    void knowsTheNodesThatWereAskedAboutLast() {
        var hold = IntStream.range(0, 200)
                .mapToObj(i -> Hold.started(HOLD.rollout(), BEGIN.plusSeconds(i), heldAt("worker-" + i % 100), false))
                .reduce((first, later) -> later.after(first))
                .orElseThrow();

        assertThat(hold.begun()).isEqualTo(BEGIN);
        assertThat(hold.nodes())
                .hasSize(Hold.MOST_NODES)
                .startsWith("worker-50")
                .endsWith("worker-99")
                .doesNotHaveDuplicates();
    }

    private static RolloutHeld heldAt(String node) {
        var held = HOLD.held();
        return new RolloutHeld(held.scope(), node, held.holder(), held.since(), held.until());
    }

    @Test
    void lastsWhileASyncRunsAndTheLimitIsNotReached() {
        assertThat(end(pool("u", "b", ""), BEGIN.plusSeconds(20 * 60 - 1))).isEmpty();
        assertThat(end(pool("u", "b", ""), BEGIN.plusSeconds(20 * 60))).hasValue(End.LIMIT_REACHED);
    }

    @Test
    void endsWithTheSyncs() {
        assertThat(end(
                        HOLD,
                        new KnownCluster(
                                Optional.of(List.of()), Optional.of(List.of(pool("u", "b", ""))), Optional.of(false)),
                        BEGIN))
                .hasValue(End.SYNCS_ENDED);
    }

    @Test
    void endsWithAnUpgrade() {
        assertThat(end(
                        HOLD,
                        new KnownCluster(
                                Optional.of(List.of(SYNC)),
                                Optional.of(List.of(pool("u", "b", ""))),
                                Optional.of(true)),
                        BEGIN))
                .hasValue(End.UPGRADE);
    }

    @Test
    void endsWhereAPersonSaysSo() {
        assertThat(end(pool("u", "b", "Disabled"), BEGIN)).hasValue(End.OPTED_OUT);
        assertThat(end(pool("another", "b", ""), BEGIN)).hasValue(End.OPTED_OUT);
    }

    @Test
    void endsWithAnotherTarget() {
        assertThat(end(pool("u", "c", ""), BEGIN)).hasValue(End.SUPERSEDED);
    }

    @Test
    void lastsWhileWhatIsKnownOfThePoolIsOlderThanTheRefusal() {
        var early = new Hold(KnownCluster.rollout(pool("u", "a", ""), "b"), BEGIN, HOLD.held(), false, List.of());

        assertThat(end(early, view(pool("u", "a", "")), BEGIN)).isEmpty();
    }

    /** Taken back before the pool was known to have had the target that was refused. */
    @Test
    void endsWithTheWayBackToTheTargetBefore() {
        var early = new Hold(KnownCluster.rollout(pool("u", "a", ""), "b"), BEGIN, HOLD.held(), false, List.of());

        assertThat(end(early, view(pool("u", "a", "")), BEGIN.plusSeconds(30))).isEmpty();
        assertThat(end(early, view(pool("u", "a", "")), BEGIN.plusSeconds(31))).hasValue(End.SUPERSEDED);
    }

    @Test
    void endsWhereAllNodesGotThrough() {
        assertThat(end(pool("u", "b", "", "false", "Updated", "2026-11-21T12:00:01Z"), BEGIN))
                .hasValue(End.ROLLED_OUT);
        assertThat(end(pool("u", "b", "", "false", "Updated", "2026-11-21T11:59:59Z"), BEGIN))
                .as("not yet noticed")
                .isEmpty();
    }

    /** The condition has whole seconds, the refusal has not; and a refusal can come late. */
    @Test
    void endsWhereAllNodesGotThroughInTheSecondOfTheRefusal() {
        var updated = pool("u", "b", "", "false", "Updated", "2026-11-21T12:00:00Z");

        assertThat(end(updated, BEGIN.plusSeconds(30))).isEmpty();
        assertThat(end(updated, BEGIN.plusSeconds(31))).hasValue(End.ROLLED_OUT);
    }

    @Test
    void endsWhereThePoolIsPaused() {
        assertThat(end(pool("u", "b", "", "true", "Updating", "2026-11-21T12:00:01Z"), BEGIN))
                .hasValue(End.PAUSED);
    }

    @Test
    void endsWhereNothingIsKnown() {
        assertThat(end(
                        HOLD,
                        new KnownCluster(
                                Optional.empty(), Optional.of(List.of(pool("u", "b", ""))), Optional.of(false)),
                        BEGIN))
                .hasValue(End.UNKNOWN);
        assertThat(end(HOLD, new KnownCluster(Optional.of(List.of(SYNC)), Optional.empty(), Optional.of(false)), BEGIN))
                .hasValue(End.UNKNOWN);
    }

    /** Its Nodes are not kept from it: that they have it says nothing of how long they would have waited. */
    @Test
    void whatIsObservedLastsWhenAllNodesHaveIt() {
        var updated = pool("u", "b", "Observe", "false", "Updated", "2026-11-21T12:03:00Z");

        assertThat(end(OBSERVED, view(updated), BEGIN.plusSeconds(20 * 60 - 1))).isEmpty();
        assertThat(end(OBSERVED, view(updated), BEGIN.plusSeconds(20 * 60))).hasValue(End.LIMIT_REACHED);
        assertThat(end(OBSERVED, quiet(updated), BEGIN.plusSeconds(300))).hasValue(End.SYNCS_ENDED);
    }

    @Test
    void whatIsObservedEndsAsAHoldWould() {
        assertThat(end(OBSERVED, view(pool("u", "b", "Disabled")), BEGIN)).hasValue(End.OPTED_OUT);
        assertThat(end(OBSERVED, view(pool("u", "c", "Observe")), BEGIN)).hasValue(End.SUPERSEDED);
        assertThat(end(OBSERVED, view(pool("u", "b", "Enabled")), BEGIN)).isEmpty();
    }

    @Test
    void endsWhereItIsOnlyObservedFromNowOn() {
        assertThat(end(pool("u", "b", "Observe"), BEGIN)).hasValue(End.OPTED_OUT);
    }

    @Test
    void endsWithTheSyncsThatAreWaitedForWhateverElseIsObserved() {
        var watched = new RunningSync(
                Kind.APPLICATION, "argocd", "watched", "default", Optional.of(SyncHold.OBSERVE), Optional.of(BEGIN));
        var cluster = new KnownCluster(
                Optional.of(List.of(watched)), Optional.of(List.of(pool("u", "b", ""))), Optional.of(false));

        assertThat(end(HOLD, cluster, BEGIN)).hasValue(End.SYNCS_ENDED);
        assertThat(end(OBSERVED, cluster, BEGIN)).isEmpty();
    }

    @Test
    void ofJobsEndsWhereItIsOnlyObservedFromNowOn() {
        var held = new RolloutHeld(
                HOLD.held().scope(),
                "worker-1",
                new Jobs(List.of("Job shop/migrate")),
                BEGIN,
                HOLD.held().until());
        var hold = new Hold(HOLD.rollout(), BEGIN, held, false, List.of("worker-1"));
        var forJobs = new GatePolicy(
                SyncHold.ENABLED, POLICY.maxHold(), POLICY.maxHoldRequired(), POLICY.scope(), true, false);

        for (var observed : List.of(true, false)) {
            var pool = pool("u", "b", observed ? "Observe" : "");
            for (var cluster : List.of(quiet(pool), view(pool))) {
                assertThat(hold.end(cluster.makers(), cluster.syncs(), forJobs, BEGIN))
                        .isEqualTo(observed ? Optional.of(End.OPTED_OUT) : Optional.empty());
            }
        }
    }

    private static KnownCluster quiet(Pool pool) {
        return new KnownCluster(Optional.of(List.of()), Optional.of(List.of(pool)), Optional.of(false));
    }

    private static Optional<End> end(Pool pool, Instant now) {
        return end(HOLD, view(pool), now);
    }

    private static Optional<End> end(Hold hold, KnownCluster cluster, Instant now) {
        return hold.end(cluster.makers(), cluster.syncs(), POLICY, now);
    }

    private static KnownCluster view(Pool pool) {
        return new KnownCluster(Optional.of(List.of(SYNC)), Optional.of(List.of(pool)), Optional.of(false));
    }

    private static Pool pool(String uid, String target, String syncHold) {
        return pool(uid, target, syncHold, "false", "Updating", "2026-11-21T12:00:01Z");
    }

    private static Pool pool(
            String uid, String target, String syncHold, String paused, String condition, String since) {
        return Pool.of(Trees.json("""
                {'metadata': {'name': 'worker', 'uid': '%s', 'annotations': {'gitops-interlock.dev/sync-hold': '%s'}},
                 'spec': {'configuration': {'name': '%s'}, 'paused': %s},
                 'status': {'conditions': [{'type': '%s', 'status': 'True', 'lastTransitionTime': '%s'}]}}
                """.formatted(uid, syncHold, target, paused, condition, since)));
    }
}
