package dev.gitopsinterlock.status;

import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.Gate.Closed;
import dev.gitopsinterlock.gate.Gate.Free;
import dev.gitopsinterlock.gate.Gate.Open;
import dev.gitopsinterlock.gate.GateRule;
import dev.gitopsinterlock.gate.Holder.Jobs;
import dev.gitopsinterlock.gate.RolloutHeld;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.machineconfig.MachineConfigView;
import dev.gitopsinterlock.machineconfig.Pool;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Which rollouts the gate holds now, or would hold if it did not only observe them, by its own rule.
 *
 * @param installed with the gate's policy
 * @param view of the pools
 * @param syncs those that are running; empty where that is not known
 * @param marked Nodes with marked Jobs; asked for only where one of them may wait
 * @param ages when what a rollout brings was made, and when it was first refused
 */
public record HeldRollouts(
        InstalledPolicy installed,
        MachineConfigView view,
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

        /** When a rollout of this pool was first refused since then, or would have been; empty where nothing tells. */
        Optional<Instant> refusedSince(String pool, Instant created);
    }

    /**
     * Of all pools whose Nodes do not have yet what they are to have.
     *
     * @param held those that wait
     * @param observed those that would wait
     */
    public record Found(List<RolloutHeld> held, List<RolloutHeld> observed) {
        public Found {
            held = List.copyOf(held);
            observed = List.copyOf(observed);
        }
    }

    private record One(RolloutHeld held, boolean isObserved) {}

    public Found at(Instant now) {
        if (!installed.gate().isWatching()) {
            return new Found(List.of(), List.of());
        }
        var controller = new MachineConfigController(installed.controller(), () -> view);
        var all = view.pools().orElse(List.of()).stream()
                .filter(pool -> pool.isRollingOut(pool.target()))
                .flatMap(pool -> held(controller, pool, now))
                .collect(partitioningBy(One::isObserved, mapping(One::held, toList())));
        return new Found(all.getOrDefault(false, List.of()), all.getOrDefault(true, List.of()));
    }

    private Stream<One> held(MachineConfigController controller, Pool pool, Instant now) {
        var rollout = controller.rollout(pool, pool.target(), view);
        return switch (GateRule.look(rollout, syncs, installed.gate(), now)) {
            case Open(var _) -> Stream.empty();
            case Free(var _, var observed) ->
                Stream.concat(
                                marked.get().stream()
                                        .flatMap(node -> closed(controller, node))
                                        .filter(closed ->
                                                closed.rollout().scope().equals(rollout.scope())),
                                observed.stream())
                        .flatMap(closed -> held(pool, closed, now).stream());
            case Closed closed -> held(pool, closed, now).stream();
        };
    }

    private Stream<Closed> closed(MachineConfigController controller, MarkedNode marked) {
        return controller.ahead(marked.node(), view).stream()
                .map(rollout -> new Closed(rollout, new Jobs(marked.jobs()), false));
    }

    private Optional<One> held(Pool pool, Closed closed, Instant now) {
        return closed.rollout()
                .evidence()
                .revision()
                .flatMap(ages::created)
                .flatMap(created ->
                        GateRule.held(closed, created, ages.refusedSince(pool.name(), created), installed.gate(), now))
                .map(held -> new One(held, closed.isObserved()));
    }
}
