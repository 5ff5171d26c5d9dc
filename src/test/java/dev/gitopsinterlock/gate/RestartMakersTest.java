package dev.gitopsinterlock.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.gate.Gate.Closed;
import dev.gitopsinterlock.gate.Gate.Free;
import dev.gitopsinterlock.gate.Gate.Open;
import dev.gitopsinterlock.gate.Hold.End;
import dev.gitopsinterlock.gate.HoldMemory.Ended;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.Rollout.Evidence;
import dev.gitopsinterlock.gate.Rollout.HoldTerms;
import dev.gitopsinterlock.gate.Rollout.Scope;
import dev.gitopsinterlock.gate.RolloutStart.Begins;
import dev.gitopsinterlock.gate.RolloutStart.NoRollout;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.testing.review.Gates;
import dev.gitopsinterlock.testing.review.KnownCluster;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The gate with a maker of restarts that has nothing to do with MachineConfigs: one that takes a lock on a DaemonSet
 * before it restarts a Node, beside the machine-config controller. The recipe in docs/architecture.md is this.
 */
class RestartMakersTest {

    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final String DAEMON_SETS = "apps/v1/DaemonSet";
    private static final String LOCK = "example.com/lock";
    private static final String USER = "system:serviceaccount:kube-system:restarter";
    private static final GuidancePages PAGES = PackagedPages.withoutAddress();

    private static final Optional<List<RunningSync>> SYNCING = Optional.of(List.of(KnownCluster.sync(NOW)));

    private final RestartMakers makers = new RestartMakers(List.of(
            new KnownCluster(SYNCING, Optional.of(List.of()), Optional.of(false)).controller(), new Restarter()));

    private record Restarter() implements RestartMaker {

        @Override
        public String name() {
            return "restarter";
        }

        @Override
        public Set<String> kinds() {
            return Set.of(DAEMON_SETS);
        }

        @Override
        public String targetOf(ObjectChange change) {
            return change.annotationAfter(LOCK);
        }

        @Override
        public RolloutStart startedBy(ObjectChange change) {
            if (!change.user().equals(USER)) {
                return new NoRollout(RolloutReason.SKIPPED);
            }
            var node = change.annotationAfter(LOCK);
            return node.isEmpty() ? new NoRollout(RolloutReason.NO_ROLLOUT) : new Begins(rollout(node));
        }

        @Override
        public List<WatchedKind<?>> watches() {
            return List.of();
        }

        @Override
        public Stream<Approaching> approaching() {
            return Stream.of();
        }

        private Rollout rollout(String node) {
            var daemonSet = new ObjectReference("apps/v1", "DaemonSet", "kube-system", "restarter", "ds");
            return new Rollout(
                    name(),
                    new Scope(daemonSet, "restarter", "kubectl -n kube-system delete ds restarter", Optional.empty()),
                    node,
                    new Evidence("", true, Optional.empty(), Optional.of("/api/v1/nodes/" + node)),
                    new HoldTerms(SyncHold.ENABLED, false, Optional.empty()),
                    node);
        }

        @Override
        public Progress progressOf(Rollout rollout, Instant since, Instant now) {
            return new Progress.UnderWay(rollout);
        }
    }

    @Test
    void itsRolloutIsHeldInItsOwnWords() {
        var decision = decide(lock("worker-1", USER), SYNCING);

        assertThat(decision.verdict()).isInstanceOf(Deny.class);
        assertThat(((RolloutHeld) ((Deny) decision.verdict()).denial()).message(PAGES))
                .startsWith(
                        "held: Argo CD sync payments is running; until 12:20 UTC at the latest. "
                                + "To let restarter restarter go on now (Node worker-1 is next): kubectl -n kube-system delete ds restarter. ");
    }

    @Test
    void withoutASyncItGoesOn() {
        assertThat(decide(lock("worker-1", USER), Optional.of(List.of())).verdict())
                .isEqualTo(new Allow(RolloutReason.NO_SYNC));
    }

    @Test
    void othersAndOtherWritesAreLeftAlone() {
        assertThat(decide(lock("worker-1", "kubernetes-admin"), SYNCING).verdict())
                .isEqualTo(new Allow(RolloutReason.SKIPPED));
        assertThat(decide(lock("", USER), SYNCING).verdict()).isEqualTo(new Allow(RolloutReason.NO_ROLLOUT));
    }

    @Test
    void itsHoldEndsWithTheSyncs() {
        var memory = new HoldMemory();
        var rollout = new Restarter().rollout("worker-1");
        memory.refused(
                rollout,
                new RolloutHeld(rollout.scope(), "", new Syncs(List.of("payments")), NOW, NOW.plusSeconds(60)),
                NOW);

        assertThat(memory.ended(makers, SYNCING, Gates.ENABLED, NOW)).isEmpty();
        assertThat(memory.ended(makers, Optional.of(List.of()), Gates.ENABLED, NOW))
                .extracting(Ended::end)
                .containsExactly(End.SYNCS_ENDED);
    }

    @Test
    void whatNobodyMakesAnyMoreIsOver() {
        var rollout = new Restarter().rollout("worker-1");

        assertThat(new RestartMakers(List.of()).progressOf(rollout, NOW, NOW)).isEqualTo(new Progress.Removed());
    }

    @Test
    void theLogNamesTheObjectOfTheMakerThatKnowsIt() {
        assertThat(makers.kinds()).containsExactlyInAnyOrder("/v1/Node", DAEMON_SETS);
        assertThat(makers.targetOf(lock("worker-1", USER))).isEqualTo("worker-1");
    }

    private Decision decide(ObjectChange change, Optional<List<RunningSync>> syncs) {
        return switch (GateRule.look(change, makers, syncs, Gates.ENABLED, NOW)) {
            case Open(var reason) -> GateRule.allow(change, reason);
            case Free free -> throw new AssertionError(free);
            case Closed closed ->
                GateRule.conclude(change, closed, Optional.of(NOW), Optional.empty(), Gates.ENABLED, NOW);
        };
    }

    private static ObjectChange lock(String node, String user) {
        return new ObjectChange(DAEMON_SETS, "restarter", daemonSet(""), daemonSet(node), user, false);
    }

    private static JsonNode daemonSet(String lock) {
        return Trees.json("{'metadata': {'name': 'restarter', 'annotations': {'%s': '%s'}}}".formatted(LOCK, lock));
    }
}
