package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.Gate.Closed;
import dev.gitopsinterlock.gate.Gate.Free;
import dev.gitopsinterlock.gate.Gate.Open;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.gate.GateRule;
import dev.gitopsinterlock.gate.Holder.Jobs;
import dev.gitopsinterlock.gate.RestartMaker;
import dev.gitopsinterlock.gate.RestartMaker.Approaching;
import dev.gitopsinterlock.gate.RestartMakers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Which rollouts the gate holds now, or would hold if it did not only observe them, by its own rule.
 *
 * @param gate the policy
 * @param makers whose rollouts can wait
 * @param syncs those that are running; empty where that is not known
 * @param marked Nodes with marked Jobs; asked for only where one of them may wait
 * @param ages when what a rollout brings was made, and when it was first refused
 */
public record HeldRollouts(
        GatePolicy gate,
        RestartMakers makers,
        Optional<List<RunningSync>> syncs,
        Supplier<List<MarkedNode>> marked,
        Ages ages) {

    /**
     * A Node on which Pods of marked Jobs run.
     *
     * @param node as it is in the cluster
     * @param jobs by kind, Namespace and name; at least one
     */
    public record MarkedNode(JsonNode node, List<String> jobs) {
        public MarkedNode {
            jobs = List.copyOf(jobs);
        }
    }

    /** What has to be asked for each rollout. */
    public interface Ages {

        /** When the object at this path of the API was made; empty where that is not known. */
        Optional<Instant> created(String path);

        /** When a rollout of this one was first refused since then, or would have been; empty where nothing tells. */
        Optional<Instant> refusedSince(Subject subject, Instant created);
    }

    /** All rollouts whose Nodes do not have yet what they are to have, as far as they wait at this moment, or would. */
    public List<HeldRollout> at(Instant now) {
        if (!gate.isWatching()) {
            return List.of();
        }
        return makers.all().stream()
                .flatMap(RestartMaker::approaching)
                .flatMap(approaching -> held(approaching, now))
                .toList();
    }

    /** Whether a rollout waits. Of a Node with marked Jobs, the rollout that is about to reach it is needed; empty where that is not this one. */
    private Stream<HeldRollout> held(Approaching approaching, Instant now) {
        return switch (GateRule.look(approaching.rollout(), syncs, gate, now)) {
            case Open(var _) -> Stream.empty();
            case Free(var _, var observed, var isObserved) ->
                Stream.concat(
                                marked.get().stream()
                                        .flatMap(node -> approaching
                                                .to()
                                                .apply(node.node())
                                                .map(next -> new Closed(next, new Jobs(node.jobs()), isObserved))
                                                .stream()),
                                observed.stream())
                        .flatMap(closed -> held(closed, now).stream());
            case Closed closed -> held(closed, now).stream();
        };
    }

    private Optional<HeldRollout> held(Closed closed, Instant now) {
        var subject = Subject.of(closed.rollout().scope().object());
        return closed.rollout()
                .evidence()
                .revision()
                .flatMap(ages::created)
                .flatMap(created -> GateRule.held(closed, created, ages.refusedSince(subject, created), gate, now))
                .map(held -> HeldRollout.of(held, closed.rollout().target(), closed.isObserved()));
    }
}
