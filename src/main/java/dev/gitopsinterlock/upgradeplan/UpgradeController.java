package dev.gitopsinterlock.upgradeplan;

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
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The system-upgrade-controller of K3s and RKE2: for each Node it makes a Job without parallelism and lets that run
 * afterwards, mostly by making it anew; the Job drains and upgrades the Node. A rollout is that of one version by one Plan.
 *
 * @param user its user name; what others write there begins nothing
 * @param known what is known of its cluster; asked for at every use
 */
public record UpgradeController(String user, KnownObjects known) implements RestartMaker {

    private static final WatchedKind<UpgradePlan> PLANS =
            new WatchedKind<>("upgrade.cattle.io", "v1", "Plan", "plans", plan -> Optional.of(UpgradePlan.of(plan)));

    private static final WatchedKind<JsonNode> JOBS = new WatchedKind<>(
            "batch", "v1", "Job", "jobs", job -> Optional.of(job).filter(UpgradeController::isOfPlan));

    private static final String JOB = "batch/v1/Job";
    private static final String API_VERSION = "upgrade.cattle.io/v1";
    private static final String PREFIX = "upgrade.cattle.io/";
    private static final String PLAN = PREFIX + "plan";
    private static final String VERSION = PREFIX + "version";
    private static final String NODE = PREFIX + "node";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?");

    /** After thirty tries in vain; before that it is half a minute. */
    private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(2);

    /** After which what is known of a Plan is as new as a refusal, if it is ever going to be. */
    private static final Duration LONGEST_LAG = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "system-upgrade-controller";
    }

    @Override
    public Set<String> kinds() {
        return Set.of(JOB);
    }

    /** The label is anybody's to write. */
    @Override
    public String targetOf(ObjectChange change) {
        var version = ObjectMeta.label(change.after(), VERSION);
        return version.isEmpty() || NAME.matcher(version).matches() ? version : "unprintable";
    }

    @Override
    public RolloutStart startedBy(ObjectChange change) {
        if (!change.user().equals(user)) {
            return new NoRollout(RolloutReason.SKIPPED);
        }
        var node = ObjectMeta.label(change.after(), NODE);
        if (runs(change.before())
                || !runs(change.after())
                || !NAME.matcher(node).matches()) {
            return new NoRollout(RolloutReason.NO_ROLLOUT);
        }
        var plans = known.of(PLANS);
        if (plans.isEmpty()) {
            return new Unassigned(RolloutReason.UNKNOWN_PLANS);
        }
        var namespace = ObjectMeta.namespace(change.after());
        return plans.get().stream()
                .filter(plan -> plan.name().equals(ObjectMeta.label(change.after(), PLAN))
                        && plan.namespace().equals(namespace))
                .findFirst()
                .<RolloutStart>map(plan -> new Begins(rollout(plan, targetOf(change), node)))
                .orElseGet(() -> new Unassigned(RolloutReason.NO_PLAN));
    }

    /** Whether the Job may have Pods. One that is not there has none. */
    private static boolean runs(JsonNode job) {
        return job.isObject() && job.path("spec").path("parallelism").asInt(1) != 0;
    }

    @Override
    public Progress progressOf(Rollout rollout, Instant since, Instant now) {
        var plans = known.of(PLANS);
        if (plans.isEmpty()) {
            return new Progress.Unknown();
        }
        return plans.get().stream()
                .filter(plan -> plan.uid().equals(rollout.scope().object().uid()))
                .findFirst()
                .map(live -> progress(rollout, live, since, now))
                .orElseGet(Progress.Removed::new);
    }

    /** What is known of the Plan can be older than the refusal. */
    private Progress progress(Rollout rollout, UpgradePlan live, Instant since, Instant now) {
        var isNew = now.isAfter(since.plus(LONGEST_LAG));
        if (!live.version().equals(rollout.target()) && isNew) {
            return new Progress.Superseded();
        }
        var current = rollout(live, rollout.target(), rollout.node());
        return live.completeSince()
                        .filter(complete -> complete.isAfter(since) || isNew)
                        .isPresent()
                ? new Progress.RolledOut(current)
                : new Progress.UnderWay(current);
    }

    @Override
    public List<WatchedKind<?>> watches() {
        return List.of(PLANS);
    }

    @Override
    public List<WatchedKind<?>> lists() {
        return List.of(PLANS, JOBS);
    }

    @Override
    public Stream<Approaching> approaching() {
        return known.of(PLANS).stream()
                .flatMap(List::stream)
                .flatMap(plan -> known.of(JOBS).stream().map(jobs -> ahead(plan, jobs)))
                .filter(ahead -> !ahead.isEmpty())
                .map(ahead -> new Approaching(
                        ahead.size() == 1 ? ahead.getFirst() : ahead.getFirst().to(""),
                        node -> ahead.stream()
                                .filter(rollout -> rollout.node().equals(ObjectMeta.name(node)))
                                .findFirst()));
    }

    private static boolean isOfPlan(JsonNode job) {
        return !ObjectMeta.label(job, PLAN).isEmpty();
    }

    /**
     * The rollouts to Nodes that this Plan has taken up, and has not begun to upgrade.
     *
     * @param jobs of Plans, as they are in the cluster
     */
    private List<Rollout> ahead(UpgradePlan plan, List<JsonNode> jobs) {
        if (plan.underWaySince().isEmpty()) {
            return List.of();
        }
        var begun = jobs.stream()
                .filter(job -> runs(job)
                        && ObjectMeta.label(job, PLAN).equals(plan.name())
                        && ObjectMeta.label(job, VERSION).equals(plan.version())
                        && ObjectMeta.namespace(job).equals(plan.namespace()))
                .map(job -> ObjectMeta.label(job, NODE))
                .collect(Collectors.toSet());
        return plan.applying().stream()
                .filter(node -> !begun.contains(node))
                .map(node -> rollout(plan, plan.version(), node))
                .toList();
    }

    private Rollout rollout(UpgradePlan plan, String target, String node) {
        var object = new ObjectReference(API_VERSION, "Plan", plan.namespace(), plan.name(), plan.uid());
        var isCurrent = plan.version().equals(target);
        var annotate = "kubectl -n %s annotate --overwrite plans.upgrade.cattle.io %s "
                .formatted(plan.namespace(), plan.name());
        return new Rollout(
                name(),
                new Scope(
                        object,
                        "plan",
                        annotate + UpgradePlan.SYNC_HOLD + "=" + SyncHold.DISABLED.configValue(),
                        Optional.of(new Retrigger(
                                annotate + UpgradePlan.PREFIX + "touched=\"$(date)\"", LONGEST_BACK_OFF))),
                target,
                new Evidence(
                        plan.version(),
                        isCurrent && plan.underWaySince().isPresent(),
                        plan.underWaySince().filter(since -> isCurrent),
                        Optional.of("/apis/%s/namespaces/%s/plans/%s"
                                .formatted(API_VERSION, plan.namespace(), plan.name()))),
                new HoldTerms(plan.holdSetting(), false, Optional.empty()),
                node);
    }
}
