package dev.gitopsinterlock.machineconfig;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectReference;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * OpenShift's machine-config controller: it writes a new rendered MachineConfig into a Node's annotations, and the Node
 * drains and restarts itself. A rollout is that of one MachineConfigPool to one rendered MachineConfig.
 *
 * @param user its user name; what others write there begins nothing
 * @param known what is known of its cluster; asked for at every use
 */
public record MachineConfigController(String user, Supplier<MachineConfigView> known) implements RestartMaker {

    private static final String PREFIX = "machineconfiguration.openshift.io/";
    private static final String DESIRED_CONFIG = PREFIX + "desiredConfig";
    private static final String CURRENT_CONFIG = PREFIX + "currentConfig";
    private static final String DESIRED_IMAGE = PREFIX + "desiredImage";
    private static final String CURRENT_IMAGE = PREFIX + "currentImage";
    private static final String STATE = PREFIX + "state";

    private static final String API_VERSION = PREFIX + "v1";
    private static final String CONFIGS = "/apis/" + API_VERSION + "/machineconfigs/";

    private static final String CONFIGURATION = "/apis/operator.openshift.io/v1/machineconfigurations/cluster";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

    /** Between the end of a hold and its next try, because it comes back less and less often. */
    private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(82);

    /** Longer than its debounces before the first try, and than {@link #LONGEST_BACK_OFF} before the next. */
    static final Duration PAUSES = Duration.ofMinutes(2);

    /** After which what is known of a pool is as new as a refusal, if it is ever going to be. */
    private static final Duration LONGEST_LAG = Duration.ofSeconds(30);

    public static MachineConfigController of(String user, KnownObjects known) {
        return new MachineConfigController(user, () -> MachineConfigView.of(known));
    }

    @Override
    public String name() {
        return "machine-config-controller";
    }

    @Override
    public List<WatchedKind<?>> watches() {
        return MachineConfigView.KINDS;
    }

    @Override
    public Set<String> kinds() {
        return Set.of("/v1/Node");
    }

    /** A target is the value of an annotation: a caller that nobody knows could write lines of its own into the log. */
    @Override
    public String targetOf(ObjectChange change) {
        var target = change.annotationAfter(DESIRED_CONFIG);
        return target.isEmpty() || NAME.matcher(target).matches() ? target : "unprintable";
    }

    @Override
    public RolloutStart startedBy(ObjectChange change) {
        if (!change.user().equals(user)) {
            return new NoRollout(RolloutReason.SKIPPED);
        }
        if (!changesTarget(change) || isThere(change)) {
            return new NoRollout(RolloutReason.NO_ROLLOUT);
        }
        var view = known.get();
        if (view.pools().isEmpty()) {
            return new Unassigned(RolloutReason.UNKNOWN_POOLS);
        }
        var target = change.annotationAfter(DESIRED_CONFIG);
        return NodePoolResolver.of(labels(change), target, view.pools().get())
                .<RolloutStart>map(
                        pool -> new Begins(rollout(pool, target, view).to(change.name())))
                .orElseGet(() -> new Unassigned(RolloutReason.NO_POOL));
    }

    /** As the Node has them now. */
    private static Map<String, String> labels(ObjectChange change) {
        return ObjectMeta.texts(ObjectMeta.labels(change.before()));
    }

    /** Whether the Node would be sent to another configuration or image than before. */
    private static boolean changesTarget(ObjectChange change) {
        return changes(change, DESIRED_CONFIG) || changes(change, DESIRED_IMAGE);
    }

    private static boolean changes(ObjectChange change, String annotation) {
        return !change.annotationBefore(annotation).equals(change.annotationAfter(annotation));
    }

    /** Whether the Node runs already what it would be sent to, so that nothing is drained and nothing restarts. */
    private static boolean isThere(ObjectChange change) {
        return change.annotationBefore(STATE).equals("Done")
                && change.annotationAfter(DESIRED_CONFIG).equals(change.annotationBefore(CURRENT_CONFIG))
                && change.annotationAfter(DESIRED_IMAGE).equals(change.annotationBefore(CURRENT_IMAGE));
    }

    /** Known of a Node that has settled on what it was sent to before, without an image of its own. */
    @Override
    public boolean interrupts(ObjectChange change, Function<String, Optional<JsonNode>> objects) {
        var current = change.annotationBefore(CURRENT_CONFIG);
        return !change.annotationBefore(STATE).equals("Done")
                || !change.annotationBefore(DESIRED_CONFIG).equals(current)
                || !(change.annotationBefore(CURRENT_IMAGE)
                                + change.annotationBefore(DESIRED_IMAGE)
                                + change.annotationAfter(DESIRED_IMAGE))
                        .isEmpty()
                || !objects.apply(CONFIGURATION)
                        .flatMap(configuration -> revision(current)
                                .flatMap(objects)
                                .flatMap(before -> revision(change.annotationAfter(DESIRED_CONFIG))
                                        .flatMap(objects)
                                        .map(after -> NodeDisruption.isNone(before, after, configuration))))
                        .orElse(false);
    }

    @Override
    public Progress progressOf(Rollout rollout, Instant since, Instant now) {
        var view = known.get();
        if (view.pools().isEmpty()) {
            return new Progress.Unknown();
        }
        return view.pools().get().stream()
                .filter(pool -> pool.uid().equals(rollout.scope().object().uid()))
                .findFirst()
                .map(live -> progress(rollout, live, view, since, now))
                .orElseGet(Progress.Removed::new);
    }

    private Progress progress(Rollout rollout, Pool live, MachineConfigView view, Instant since, Instant now) {
        if (isSuperseded(rollout, live, since, now)) {
            return new Progress.Superseded();
        }
        if (isRolledOut(rollout, live, since, now)) {
            return new Progress.RolledOut(rollout(live, rollout.target(), view));
        }
        return live.isPaused() ? new Progress.Paused() : new Progress.UnderWay(rollout(live, rollout.target(), view));
    }

    /** What is known of the pool can be older than the refusal: it has to have changed since, or to have had the time. */
    private static boolean isSuperseded(Rollout rollout, Pool live, Instant since, Instant now) {
        return !live.target().equals(rollout.target())
                && (!live.target().equals(rollout.evidence().announced()) || now.isAfter(since.plus(LONGEST_LAG)));
    }

    /**
     * A condition's time is in whole seconds, so Nodes that were updated in the second of the refusal seem to have been so
     * before; that they really were is certain once the controller has had the time to say otherwise.
     */
    private static boolean isRolledOut(Rollout rollout, Pool live, Instant since, Instant now) {
        return live.target().equals(rollout.target())
                && live.updatedSince()
                        .filter(updated -> updated.isAfter(since) || now.isAfter(since.plus(LONGEST_LAG)))
                        .isPresent();
    }

    /** The rollout of one rendered MachineConfig to the Nodes of a pool, in a cluster of which this is known. */
    public Rollout rollout(Pool pool, String target, MachineConfigView view) {
        var object = new ObjectReference(API_VERSION, "MachineConfigPool", "", pool.name(), pool.uid());
        var override = "oc annotate --overwrite mcp %s %s=%s"
                .formatted(pool.name(), SyncHold.SETTING.annotation(), SyncHold.DISABLED.configValue());
        return new Rollout(
                name(),
                new Scope(
                        object,
                        "pool",
                        override,
                        Optional.of(new Retrigger(
                                "oc annotate --overwrite mcp %s touched=\"$(date)\"".formatted(pool.name()),
                                LONGEST_BACK_OFF))),
                target,
                new Evidence(pool.target(), pool.isRollingOut(target), pool.updatingSince(), revision(target)),
                new HoldTerms(pool.holdSetting(), pool.isRequiredForUpgrade(), exemption(view)),
                "");
    }

    @Override
    public Stream<Approaching> approaching() {
        var view = known.get();
        return view.pools().orElse(List.of()).stream()
                .filter(pool -> pool.isRollingOut(pool.target()))
                .map(pool -> rollout(pool, pool.target(), view))
                .map(rollout -> new Approaching(
                        rollout,
                        node -> ahead(node, view).filter(ahead -> ahead.scope().equals(rollout.scope()))));
    }

    /** The rollout that this Node has not been sent into yet; empty where there is none, or its pool is not known. */
    private Optional<Rollout> ahead(JsonNode node, MachineConfigView view) {
        var metadata = node.path("metadata");
        var desired = metadata.path("annotations").path(DESIRED_CONFIG).asText();
        return view.pools()
                .flatMap(pools -> NodePoolResolver.of(ObjectMeta.texts(metadata.path("labels")), desired, pools))
                .filter(pool ->
                        pool.isRollingOut(pool.target()) && !pool.target().equals(desired))
                .map(pool -> rollout(pool, pool.target(), view)
                        .to(metadata.path("name").asText()));
    }

    private static Optional<String> revision(String target) {
        return Optional.of(target).filter(NAME.asMatchPredicate()).map(CONFIGS::concat);
    }

    /** An upgrade of the cluster restarts Nodes anyway. */
    private static Optional<RolloutReason> exemption(MachineConfigView view) {
        return view.upgrading()
                .map(upgrading -> upgrading ? Optional.of(RolloutReason.UPGRADE) : Optional.<RolloutReason>empty())
                .orElse(Optional.of(RolloutReason.UNKNOWN_UPGRADE));
    }

    /** Whether this is the controller or a neighbour in its Namespace: what these write comes from other changes. */
    boolean isOperators(String other) {
        return other.startsWith(user.substring(0, user.lastIndexOf(':') + 1));
    }
}
