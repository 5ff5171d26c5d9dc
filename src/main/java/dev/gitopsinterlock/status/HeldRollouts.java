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
import dev.gitopsinterlock.gate.Rollout;
import dev.gitopsinterlock.gate.RolloutHeld;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.machineconfig.MachineConfigView;
import dev.gitopsinterlock.upgradeplan.UpgradeController;
import dev.gitopsinterlock.upgradeplan.UpgradePlan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Which rollouts the gate holds now, or would hold if it did not only observe them, by its own rule.
 *
 * @param installed with the gate's policy
 * @param view of the pools
 * @param upgrades by the system-upgrade-controller; empty where they are not known, or not held
 * @param syncs those that are running; empty where that is not known
 * @param marked Nodes with marked Jobs; asked for only where one of them may wait
 * @param ages when what a rollout brings was made, and when it was first refused
 */
public record HeldRollouts(
        InstalledPolicy installed,
        MachineConfigView view,
        Optional<Upgrades> upgrades,
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

        String name() {
            return node.path("metadata").path("name").asText();
        }
    }

    /**
     * What is known of upgrades by Plans.
     *
     * @param jobs of the Plans
     */
    public record Upgrades(List<UpgradePlan> plans, List<JsonNode> jobs) {
        public Upgrades {
            plans = List.copyOf(plans);
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

    /**
     * Of all pools and Plans whose Nodes do not have yet what they are to have.
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
        var all = Stream.concat(pools(now), plans(now))
                .collect(partitioningBy(One::isObserved, mapping(One::held, toList())));
        return new Found(all.getOrDefault(false, List.of()), all.getOrDefault(true, List.of()));
    }

    private Stream<One> pools(Instant now) {
        var controller = new MachineConfigController(installed.controller(), () -> view);
        return view.pools().orElse(List.of()).stream()
                .filter(pool -> pool.isRollingOut(pool.target()))
                .map(pool -> controller.rollout(pool, pool.target(), view))
                .flatMap(rollout -> held(
                        rollout,
                        marked -> controller
                                .ahead(marked.node(), view)
                                .filter(ahead -> ahead.scope().equals(rollout.scope())),
                        now));
    }

    private Stream<One> plans(Instant now) {
        return upgrades.stream().flatMap(known -> {
            var plans = Optional.of(known.plans());
            var controller = new UpgradeController(installed.upgradeController().orElse(""), () -> plans);
            return known.plans().stream()
                    .map(plan -> controller.ahead(plan, known.jobs()))
                    .filter(ahead -> !ahead.isEmpty())
                    .flatMap(ahead -> held(
                            ahead.size() == 1
                                    ? ahead.getFirst()
                                    : ahead.getFirst().to(""),
                            marked -> ahead.stream()
                                    .filter(rollout -> rollout.node().equals(marked.name()))
                                    .findFirst(),
                            now));
        });
    }

    /** Of a Node with marked Jobs, the rollout that is about to reach it is needed; empty where that is not this one. */
    private Stream<One> held(Rollout rollout, Function<MarkedNode, Optional<Rollout>> ahead, Instant now) {
        return switch (GateRule.look(rollout, syncs, installed.gate(), now)) {
            case Open(var _) -> Stream.empty();
            case Free(var _, var observed, var isObserved) ->
                Stream.concat(
                                marked.get().stream()
                                        .flatMap(node -> ahead
                                                .apply(node)
                                                .map(next -> new Closed(next, new Jobs(node.jobs()), isObserved))
                                                .stream()),
                                observed.stream())
                        .flatMap(closed -> held(closed, now).stream());
            case Closed closed -> held(closed, now).stream();
        };
    }

    private Optional<One> held(Closed closed, Instant now) {
        var subject = Subject.of(closed.rollout().scope().object());
        return closed.rollout()
                .evidence()
                .revision()
                .flatMap(ages::created)
                .flatMap(created ->
                        GateRule.held(closed, created, ages.refusedSince(subject, created), installed.gate(), now))
                .map(held -> new One(held, closed.isObserved()));
    }
}
