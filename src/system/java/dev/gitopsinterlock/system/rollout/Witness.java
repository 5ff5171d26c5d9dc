package dev.gitopsinterlock.system.rollout;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.cluster.OpenShift;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Sees every revision of every node, pool and rendered MachineConfig of a run. */
final class Witness implements AutoCloseable {

    /** A node is assigned another configuration than it had; seen a little after it was stored. */
    record Assignment(String node, String from, String target, long revision, Instant seen) {}

    /** A pool as it was for a while. */
    record PoolState(long revision, Instant seen, JsonNode pool) {

        String target() {
            return pool.at("/spec/configuration/name").asText();
        }

        /** When the pool began to update, if it does. */
        Optional<Instant> updatingSince() {
            return pool.path("status")
                    .path("conditions")
                    .valueStream()
                    .filter(condition -> condition.path("type").asText().equals("Updating")
                            && condition.path("status").asText().equals("True"))
                    .map(condition ->
                            Instant.parse(condition.path("lastTransitionTime").asText()))
                    .findFirst();
        }

        boolean isRequiredForUpgrade() {
            return pool.path("metadata").path("labels").has(OpenShift.REQUIRED_FOR_UPGRADE);
        }
    }

    private record Membership(Instant seen, String pool) {}

    /** A rendered MachineConfig. */
    private record Rendered(Instant created, String pool) {}

    private final OpenShift openShift;
    private final List<Watch> watches = new ArrayList<>();
    private final List<Assignment> assigned = new ArrayList<>();
    private final Map<String, String> desired = new HashMap<>();
    private final Map<String, List<Membership>> memberships = new HashMap<>();
    private final Map<String, List<PoolState>> pools = new HashMap<>();
    private final Map<String, Rendered> rendered = new HashMap<>();
    private final Map<String, Long> newest = new HashMap<>();
    private Optional<WatcherException> blind = Optional.empty();

    Witness(KubernetesClient api, OpenShift openShift) {
        this.openShift = openShift;
        watches.add(api.nodes().watch(new Eyes<>("node", this::seeNode)));
        watches.add(openShift.resources("MachineConfigPool").watch(new Eyes<>("pool", this::seePool)));
        watches.add(openShift.resources("MachineConfig").watch(new Eyes<>("config", this::seeConfig)));
    }

    synchronized List<Assignment> assigned() {
        return List.copyOf(assigned);
    }

    /** The pool whose configuration it is. */
    synchronized String poolOf(String target) {
        return Optional.ofNullable(rendered.get(target)).orElseThrow().pool();
    }

    /**
     * The pool's states while it had the target that the node was assigned, without a break, up to that moment. The pool
     * may have another target already: the controller tells what its copy of the pool says.
     */
    synchronized List<PoolState> statesWithTarget(String pool, Assignment assigned) {
        var states = new ArrayList<PoolState>();
        var goesOn = false;
        for (var state : pools.getOrDefault(pool, List.of())) {
            if (state.revision() > assigned.revision()) {
                break;
            }
            var hasTarget = state.target().equals(assigned.target());
            if (hasTarget && !goesOn) {
                states.clear();
            }
            if (hasTarget) {
                states.add(state);
            }
            goesOn = hasTarget;
        }
        return states;
    }

    /** The states that the pool had between the two. */
    synchronized List<PoolState> statesBetween(String pool, Instant first, Instant last) {
        var states = new ArrayList<PoolState>();
        for (var state : pools.getOrDefault(pool, List.of())) {
            if (state.seen().isBefore(first)) {
                states.clear();
            }
            if (!state.seen().isAfter(last)) {
                states.add(state);
            }
        }
        return states;
    }

    /** The pools that the node followed between the two. */
    synchronized Set<String> poolsOf(String node, Instant first, Instant last) {
        var followed = new HashSet<String>();
        var before = "";
        for (var membership : memberships.getOrDefault(node, List.of())) {
            if (membership.seen().isBefore(first)) {
                before = membership.pool();
            } else if (!membership.seen().isAfter(last)) {
                followed.add(membership.pool());
            }
        }
        if (!before.isEmpty()) {
            followed.add(before);
        }
        return followed;
    }

    /** When the rollout of the target began, as far as the pool's state says so. */
    synchronized Optional<Instant> begin(PoolState state, String target) {
        var created = Optional.ofNullable(rendered.get(target)).map(Rendered::created);
        return state.updatingSince().flatMap(updating -> created.map(time -> time.isAfter(updating) ? time : updating));
    }

    /** Waits until it has seen everything that there is now. */
    void catchUp() {
        var present = new HashMap<String, Long>();
        openShift.nodes().forEach(node -> present.put("node " + name(node), revision(node)));
        openShift.pools().forEach(pool -> present.put("pool " + name(pool), revision(pool)));
        await("the last events").atMost(Limits.PATIENCE).until(() -> hasSeen(present));
    }

    private synchronized boolean hasSeen(Map<String, Long> present) {
        if (blind.isPresent()) {
            throw new AssertionError("a watch ended", blind.get());
        }
        return present.entrySet().stream()
                .allMatch(object -> newest.getOrDefault(object.getKey(), 0L) >= object.getValue());
    }

    private void seeNode(JsonNode node, Instant now) {
        memberships
                .computeIfAbsent(name(node), name -> new ArrayList<>())
                .add(new Membership(now, Plan.poolOf(node.path("metadata").path("labels"))));
        var target = node.path("metadata")
                .path("annotations")
                .path(OpenShift.DESIRED_CONFIG)
                .asText();
        var from = Optional.ofNullable(desired.put(name(node), target)).orElse("");
        if (!from.isEmpty() && !from.equals(target)) {
            assigned.add(new Assignment(name(node), from, target, revision(node), now));
        }
    }

    private void seePool(JsonNode pool, Instant now) {
        pools.computeIfAbsent(name(pool), name -> new ArrayList<>()).add(new PoolState(revision(pool), now, pool));
    }

    private void seeConfig(JsonNode config, Instant now) {
        for (var owner : config.path("metadata").path("ownerReferences")) {
            rendered.putIfAbsent(
                    name(config),
                    new Rendered(
                            Instant.parse(config.path("metadata")
                                    .path("creationTimestamp")
                                    .asText()),
                            owner.path("name").asText()));
        }
    }

    private static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    private static long revision(JsonNode object) {
        return Long.parseLong(object.path("metadata").path("resourceVersion").asText());
    }

    @Override
    public void close() {
        watches.forEach(Watch::close);
    }

    private final class Eyes<T extends HasMetadata> implements Watcher<T> {

        private final String kind;
        private final BiConsumer<JsonNode, Instant> note;

        private Eyes(String kind, BiConsumer<JsonNode, Instant> note) {
            this.kind = kind;
            this.note = note;
        }

        @Override
        public void eventReceived(Action action, T object) {
            var now = Instant.now();
            if (action == Action.DELETED || action == Action.BOOKMARK) {
                return;
            }
            var tree = OpenShift.tree(object);
            synchronized (Witness.this) {
                note.accept(tree, now);
                newest.put(kind + " " + name(tree), revision(tree));
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            synchronized (Witness.this) {
                blind = Optional.of(cause);
            }
        }
    }
}
