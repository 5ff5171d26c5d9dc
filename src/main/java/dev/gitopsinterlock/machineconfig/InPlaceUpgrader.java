package dev.gitopsinterlock.machineconfig;

import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.gate.KnownObjects;
import dev.gitopsinterlock.gate.ObjectChange;
import dev.gitopsinterlock.gate.Progress;
import dev.gitopsinterlock.gate.RestartMaker;
import dev.gitopsinterlock.gate.Rollout;
import dev.gitopsinterlock.gate.Rollout.Evidence;
import dev.gitopsinterlock.gate.Rollout.HoldTerms;
import dev.gitopsinterlock.gate.Rollout.Retrigger;
import dev.gitopsinterlock.gate.Rollout.Scope;
import dev.gitopsinterlock.gate.RolloutReason;
import dev.gitopsinterlock.gate.RolloutStart;
import dev.gitopsinterlock.gate.RolloutStart.Begins;
import dev.gitopsinterlock.gate.RolloutStart.NoRollout;
import dev.gitopsinterlock.gate.RolloutStart.Unassigned;
import dev.gitopsinterlock.gate.WatchedKind;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * HyperShift's hosted-cluster-config-operator: for an InPlace NodePool it writes the hash of a new configuration into a
 * Node's annotations, then makes a Pod there that has the Node drained and restarts it. A rollout is that of one hash to one
 * NodePool. NodePools are in the management cluster: what is known of one are its Nodes, and none of them tells of a rollout
 * before the first was sent there.
 *
 * @param user its user name; what others write there begins nothing
 * @param known what is known of its cluster; asked for at every use
 */
public record InPlaceUpgrader(String user, KnownObjects known) implements RestartMaker {

    private static final WatchedKind<PoolNode> NODES = new WatchedKind<>("", "v1", "Node", "nodes", PoolNode::of);

    private static final String POOL = "hypershift.openshift.io/nodePool";
    private static final String DESIRED_CONFIG = "machineconfiguration.openshift.io/desiredConfig";
    private static final String CURRENT_CONFIG = "machineconfiguration.openshift.io/currentConfig";

    private static final Pattern HASH = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

    /** It looks again whenever a Node of the pool changes, and kubelets say this often that they are there. */
    private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(5);

    /**
     * What is read of a Node of a NodePool.
     *
     * @param since when the operator last wrote there, which is not before it sent the Node where it is to go
     */
    private record PoolNode(
            String name, String pool, String current, String desired, Optional<Instant> since, SyncHold holdSetting) {

        static Optional<PoolNode> of(JsonNode node) {
            return Optional.of(ObjectMeta.label(node, POOL))
                    .filter(pool -> !pool.isEmpty())
                    .map(pool -> new PoolNode(
                            ObjectMeta.name(node),
                            pool,
                            ObjectMeta.annotation(node, CURRENT_CONFIG),
                            ObjectMeta.annotation(node, DESIRED_CONFIG),
                            written(node),
                            SyncHold.SETTING
                                    .parse(ObjectMeta.annotation(node, SyncHold.SETTING.annotation()))
                                    .orElse(SyncHold.ENABLED)));
        }

        private static Optional<Instant> written(JsonNode node) {
            return node.path("metadata")
                    .path("managedFields")
                    .valueStream()
                    .filter(entry -> entry.path("fieldsV1")
                            .path("f:metadata")
                            .path("f:annotations")
                            .has("f:" + DESIRED_CONFIG))
                    .flatMap(entry -> Timestamp.of(entry.path("time")).stream())
                    .max(Comparator.naturalOrder());
        }

        /** One that is not idle may be drained already, and has to hear of another target. */
        boolean isIdle() {
            return current.equals(desired);
        }

        boolean has(String target) {
            return isIdle() && current.equals(target);
        }
    }

    @Override
    public String name() {
        return "hosted-cluster-config-operator";
    }

    @Override
    public Set<String> kinds() {
        return Set.of("/v1/Node");
    }

    @Override
    public List<WatchedKind<?>> watches() {
        return List.of(NODES);
    }

    /** A target is the value of an annotation, which could have several lines. */
    @Override
    public String targetOf(ObjectChange change) {
        var target = change.annotationAfter(DESIRED_CONFIG);
        return target.isEmpty() || HASH.matcher(target).matches() ? target : "unprintable";
    }

    @Override
    public RolloutStart startedBy(ObjectChange change) {
        if (!change.user().equals(user)) {
            return new NoRollout(RolloutReason.SKIPPED);
        }
        var target = change.annotationAfter(DESIRED_CONFIG);
        var node = PoolNode.of(change.before());
        if (!HASH.matcher(target).matches()
                || target.equals(change.annotationBefore(DESIRED_CONFIG))
                || !node.map(PoolNode::isIdle).orElse(true)) {
            return new NoRollout(RolloutReason.NO_ROLLOUT);
        }
        var nodes = known.of(NODES);
        if (nodes.isEmpty()) {
            return new Unassigned(RolloutReason.UNKNOWN_POOLS);
        }
        return node.<RolloutStart>map(next -> new Begins(rollout(next, target, nodes.get())))
                .orElseGet(() -> new Unassigned(RolloutReason.NO_POOL));
    }

    @Override
    public Progress progressOf(Rollout rollout, Instant since, Instant now) {
        return known.of(NODES)
                .map(nodes -> progress(rollout, ofPool(rollout.scope().name(), nodes)))
                .orElseGet(Progress.Unknown::new);
    }

    private Progress progress(Rollout rollout, List<PoolNode> pool) {
        var next = pool.stream()
                .filter(node -> node.name().equals(rollout.node()))
                .findFirst()
                .or(() -> pool.stream().findFirst());
        if (next.isEmpty()) {
            return new Progress.Removed();
        }
        var live = rollout(next.get(), rollout.target(), pool);
        return pool.stream().allMatch(node -> node.has(rollout.target()))
                ? new Progress.RolledOut(live)
                : new Progress.UnderWay(live);
    }

    @Override
    public Stream<Approaching> approaching() {
        return known.of(NODES).orElseGet(List::of).stream().collect(groupingBy(PoolNode::pool)).values().stream()
                .map(this::ahead)
                .filter(ahead -> !ahead.isEmpty())
                .map(ahead -> new Approaching(
                        ahead.size() == 1 ? ahead.getFirst() : ahead.getFirst().to(""),
                        node -> ahead.stream()
                                .filter(rollout -> rollout.node().equals(ObjectMeta.name(node)))
                                .findFirst()));
    }

    /** The rollouts to Nodes that have not been sent where the last one was; a Node that joined later was never sent anywhere. */
    private List<Rollout> ahead(List<PoolNode> pool) {
        var target = pool.stream()
                .filter(node -> node.since().isPresent())
                .max(Comparator.comparing(node -> node.since().orElseThrow()))
                .map(PoolNode::desired);
        return pool.stream()
                .filter(node -> node.isIdle() && !node.desired().isEmpty())
                .flatMap(node -> target.stream()
                        .filter(latest -> !latest.equals(node.desired()))
                        .map(latest -> rollout(node, latest, pool)))
                .toList();
    }

    private static List<PoolNode> ofPool(String pool, List<PoolNode> nodes) {
        return nodes.stream().filter(node -> node.pool().equals(pool)).toList();
    }

    private Rollout rollout(PoolNode node, String target, List<PoolNode> nodes) {
        var pool = node.pool();
        var sent = ofPool(pool, nodes).stream()
                .filter(each -> each.desired().equals(target))
                .toList();
        var annotate = "oc annotate --overwrite nodes -l %s=%s ".formatted(POOL, pool);
        return new Rollout(
                name(),
                new Scope(
                        // its uid is not known here, and its name is unique
                        new ObjectReference("hypershift.openshift.io/v1beta1", "NodePool", "", pool, pool),
                        "pool",
                        annotate + SyncHold.SETTING.annotation() + "=" + SyncHold.DISABLED.configValue(),
                        Optional.of(new Retrigger(annotate + "touched=\"$(date)\"", LONGEST_BACK_OFF))),
                target,
                new Evidence(
                        "",
                        !sent.isEmpty(),
                        sent.stream().flatMap(each -> each.since().stream()).min(Comparator.naturalOrder()),
                        Optional.of("/api/v1/nodes/" + node.name())),
                new HoldTerms(node.holdSetting(), false, Optional.empty()),
                node.name());
    }
}
