package dev.gitopsinterlock.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.Hold.End;
import dev.gitopsinterlock.gate.HoldMemory.Ended;
import dev.gitopsinterlock.gate.Holder.Jobs;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.testing.review.Gates;
import dev.gitopsinterlock.testing.review.KnownCluster;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldMemoryTest {

    private static final Instant BEGIN = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final GatePolicy POLICY = Gates.ENABLED;

    private final HoldMemory memory = new HoldMemory();
    private final Pool pool = pool("u", "b");

    @Test
    void aHoldBeginsOnceHoweverOftenItsRolloutIsRefused() {
        assertThat(refused(pool, BEGIN)).map(Hold::begun).hasValue(BEGIN);
        assertThat(refused(pool, BEGIN.plusSeconds(5))).isEmpty();

        assertThat(memory.size()).isEqualTo(1);
        assertThat(memory.since(KnownCluster.rollout(pool, "b"))).hasValue(BEGIN);
        assertThat(memory.age(BEGIN.plusSeconds(60))).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void poolsAndTargetsHaveHoldsOfTheirOwn() {
        refused(pool, BEGIN);
        refused(pool("another", "b"), BEGIN.plusSeconds(1));

        assertThat(memory.size()).isEqualTo(2);
        assertThat(memory.since(KnownCluster.rollout(pool("another", "b"), "b")))
                .hasValue(BEGIN.plusSeconds(1));
        assertThat(memory.since(KnownCluster.rollout(pool, "c"))).isEmpty();
    }

    @Test
    void whatHasEndedIsToldOnce() {
        refused(pool, BEGIN);
        var quiet = view(Optional.of(List.of()), pool);

        assertThat(ended(quiet, BEGIN.plusSeconds(1))).extracting(Ended::end).containsExactly(End.SYNCS_ENDED);
        assertThat(ended(quiet, BEGIN.plusSeconds(2))).isEmpty();
        assertThat(memory.size()).isZero();
        assertThat(memory.age(BEGIN.plusSeconds(60))).isEqualTo(Duration.ZERO);
    }

    @Test
    void aHoldThatLastsIsNotTold() {
        refused(pool, BEGIN);

        assertThat(ended(syncing(pool), BEGIN.plusSeconds(60))).isEmpty();
        assertThat(memory.size()).isEqualTo(1);
    }

    /** Or the next sync would hold it for the whole limit once more. */
    @Test
    void aRolloutThatGoesOnIsRememberedAfterItsHold() {
        refused(pool, BEGIN);
        ended(view(Optional.of(List.of()), pool), BEGIN.plusSeconds(1));

        assertThat(refused(pool, BEGIN.plusSeconds(90))).map(Hold::begun).hasValue(BEGIN.plusSeconds(90));
        assertThat(memory.since(KnownCluster.rollout(pool, "b"))).hasValue(BEGIN);
    }

    @Test
    void aRolloutThatIsOverIsForgotten() {
        refused(pool, BEGIN);

        ended(syncing(pool("u", "c")), BEGIN.plusSeconds(60));

        assertThat(memory.since(KnownCluster.rollout(pool, "b"))).isEmpty();
    }

    @Test
    void whereNobodyKnowsThePoolsItIsRememberedForTwiceTheLimit() {
        refused(pool, BEGIN);
        var unknown = new KnownCluster(Optional.empty(), Optional.empty(), Optional.empty());

        ended(unknown, BEGIN.plus(LIMIT).plus(LIMIT));
        assertThat(memory.since(KnownCluster.rollout(pool, "b"))).hasValue(BEGIN);

        ended(unknown, BEGIN.plus(LIMIT).plus(LIMIT).plusSeconds(1));
        assertThat(memory.since(KnownCluster.rollout(pool, "b"))).isEmpty();
    }

    /** Their Node restarts at once, so there is no end to be looked for. */
    @Test
    void whatWouldHaveWaitedForJobsIsToldOnceForEachNodeAndNotKept() {
        assertThat(observedForJobs("worker-1", BEGIN))
                .map(Hold::startNote)
                .hasValueSatisfying(told ->
                        assertThat(told).startsWith("would be held: Job shop/migrate runs on Node worker-1; until "));
        assertThat(observedForJobs("worker-1", BEGIN.plusSeconds(5))).isEmpty();
        assertThat(observedForJobs("worker-2", BEGIN.plusSeconds(5))).isPresent();

        assertThat(memory.observed()).isZero();
        assertThat(memory.since(KnownCluster.rollout(pool, "b"))).hasValue(BEGIN);
        assertThat(ended(view(Optional.of(List.of()), pool), BEGIN.plusSeconds(6)))
                .isEmpty();
    }

    @Test
    void whatNobodyHasProvenIsToldOfEachNodeOnceItsPoolSaysSo() {
        for (var node : List.of("worker-1", "worker-2")) {
            memory.unproven(KnownCluster.rollout(pool, "b").to(node), forJobs(node, BEGIN), BEGIN);
        }
        var updating = Pool.of(Trees.json("""
                {'metadata': {'name': 'worker', 'uid': 'u'}, 'spec': {'configuration': {'name': 'b'}}, 'status': {'machineCount': 2,
                 'conditions': [{'type': 'Updating', 'status': 'True', 'lastTransitionTime': '2026-11-21T12:00:01Z'}]}}
                """));

        assertThat(memory.proven(view(Optional.of(List.of()), updating).makers(), BEGIN.plusSeconds(2)))
                .extracting(hold -> hold.held().node())
                .containsExactlyInAnyOrder("worker-1", "worker-2");
    }

    private Optional<Hold> observedForJobs(String node, Instant now) {
        return memory.observed(KnownCluster.rollout(pool, "b").to(node), forJobs(node, now), now);
    }

    private RolloutHeld forJobs(String node, Instant now) {
        return new RolloutHeld(
                KnownCluster.rollout(pool, "b").scope(),
                node,
                new Jobs(List.of("Job shop/migrate")),
                now,
                now.plus(LIMIT));
    }

    private Optional<Hold> refused(Pool of, Instant now) {
        var rollout = KnownCluster.rollout(of, "b");
        var held = new RolloutHeld(rollout.scope(), "", new Syncs(List.of("payments")), now, now.plus(LIMIT));
        return memory.refused(rollout, held, now);
    }

    private List<Ended> ended(KnownCluster cluster, Instant now) {
        return memory.ended(cluster.makers(), cluster.syncs(), POLICY, now);
    }

    private static KnownCluster syncing(Pool pool) {
        var sync = KnownCluster.sync(BEGIN);
        return view(Optional.of(List.of(sync)), pool);
    }

    private static KnownCluster view(Optional<List<RunningSync>> syncs, Pool pool) {
        return new KnownCluster(syncs, Optional.of(List.of(pool)), Optional.of(false));
    }

    private static Pool pool(String uid, String target) {
        return Pool.of(Trees.json("""
                {'metadata': {'name': 'worker', 'uid': '%s'}, 'spec': {'configuration': {'name': '%s'}}, 'status': {'machineCount': 2}}
                """.formatted(uid, target)));
    }
}
