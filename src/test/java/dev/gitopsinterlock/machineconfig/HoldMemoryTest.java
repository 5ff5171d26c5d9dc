package dev.gitopsinterlock.machineconfig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.machineconfig.Hold.End;
import dev.gitopsinterlock.machineconfig.HoldMemory.Ended;
import dev.gitopsinterlock.testing.Gates;
import dev.gitopsinterlock.testing.Trees;
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
        assertThat(memory.since(pool, "b")).hasValue(BEGIN);
        assertThat(memory.age(BEGIN.plusSeconds(60))).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void poolsAndTargetsHaveHoldsOfTheirOwn() {
        refused(pool, BEGIN);
        refused(pool("another", "b"), BEGIN.plusSeconds(1));

        assertThat(memory.size()).isEqualTo(2);
        assertThat(memory.since(pool("another", "b"), "b")).hasValue(BEGIN.plusSeconds(1));
        assertThat(memory.since(pool, "c")).isEmpty();
    }

    @Test
    void whatHasEndedIsToldOnce() {
        refused(pool, BEGIN);
        var quiet = view(Optional.of(List.of()), pool);

        assertThat(memory.ended(quiet, POLICY, BEGIN.plusSeconds(1)))
                .extracting(Ended::end)
                .containsExactly(End.SYNCS_ENDED);
        assertThat(memory.ended(quiet, POLICY, BEGIN.plusSeconds(2))).isEmpty();
        assertThat(memory.size()).isZero();
        assertThat(memory.age(BEGIN.plusSeconds(60))).isEqualTo(Duration.ZERO);
    }

    @Test
    void aHoldThatLastsIsNotTold() {
        refused(pool, BEGIN);

        assertThat(memory.ended(syncing(pool), POLICY, BEGIN.plusSeconds(60))).isEmpty();
        assertThat(memory.size()).isEqualTo(1);
    }

    /** Or the next sync would hold it for the whole limit once more. */
    @Test
    void aRolloutThatGoesOnIsRememberedAfterItsHold() {
        refused(pool, BEGIN);
        memory.ended(view(Optional.of(List.of()), pool), POLICY, BEGIN.plusSeconds(1));

        assertThat(refused(pool, BEGIN.plusSeconds(90))).map(Hold::begun).hasValue(BEGIN.plusSeconds(90));
        assertThat(memory.since(pool, "b")).hasValue(BEGIN);
    }

    @Test
    void aRolloutThatIsOverIsForgotten() {
        refused(pool, BEGIN);

        memory.ended(syncing(pool("u", "c")), POLICY, BEGIN.plusSeconds(60));

        assertThat(memory.since(pool, "b")).isEmpty();
    }

    @Test
    void whereNobodyKnowsThePoolsItIsRememberedForTwiceTheLimit() {
        refused(pool, BEGIN);
        var unknown = new ClusterView(Optional.empty(), Optional.empty(), Optional.empty());

        memory.ended(unknown, POLICY, BEGIN.plus(LIMIT).plus(LIMIT));
        assertThat(memory.since(pool, "b")).hasValue(BEGIN);

        memory.ended(unknown, POLICY, BEGIN.plus(LIMIT).plus(LIMIT).plusSeconds(1));
        assertThat(memory.since(pool, "b")).isEmpty();
    }

    private Optional<Hold> refused(Pool of, Instant now) {
        return memory.refused(of, "b", new RolloutHeld("worker", List.of("payments"), now, now.plus(LIMIT)), now);
    }

    private static ClusterView syncing(Pool pool) {
        var sync = new RunningSync("argocd", "payments", "default", false, false, Optional.empty(), Optional.of(BEGIN));
        return view(Optional.of(List.of(sync)), pool);
    }

    private static ClusterView view(Optional<List<RunningSync>> syncs, Pool pool) {
        return new ClusterView(syncs, Optional.of(List.of(pool)), Optional.of(false));
    }

    private static Pool pool(String uid, String target) {
        return Pool.of(Trees.json("""
                {'metadata': {'name': 'worker', 'uid': '%s'}, 'spec': {'configuration': {'name': '%s'}}, 'status': {'machineCount': 2}}
                """.formatted(uid, target)));
    }
}
