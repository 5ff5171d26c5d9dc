package dev.gitopsinterlock.page;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.gate.HoldMemory;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.RolloutHeld;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.status.Facts;
import dev.gitopsinterlock.status.Facts.Watch;
import dev.gitopsinterlock.status.HeldRollout;
import dev.gitopsinterlock.status.InstalledPolicy;
import dev.gitopsinterlock.status.RecentReviews;
import dev.gitopsinterlock.testing.review.Gates;
import dev.gitopsinterlock.testing.review.KnownCluster;
import dev.gitopsinterlock.testing.review.Refusals;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a replica could know, and how it comes to that. */
public final class SampleFacts {

    public static final Instant NOW = Instant.parse("2026-11-21T14:00:00Z");

    public final RecentReviews reviews = new RecentReviews();
    public final HoldMemory holds = new HoldMemory();
    public final List<Watch> caches = new ArrayList<>();
    public Map<String, Map<String, String>> namespaces = Map.of();
    public boolean isBreakGlassOn;
    public GatePolicy gate = Gates.ENABLED;
    public ReplacementScope scope = new ReplacementScope.On(false, Set.of());
    public Facts.ReplacementState replacement = new Facts.ReplacementState(true, true, "on, as the requester", true);
    public Facts.Certificate certificate = certificate(Duration.ofDays(60), Optional.empty());

    public static Facts.Certificate certificate(Duration left, Optional<String> complaint) {
        return new Facts.Certificate("files in /tls", "2a", NOW.minus(Duration.ofDays(30)), NOW.plus(left), complaint);
    }

    /** Nothing is switched on. */
    public SampleFacts off() {
        gate = new GatePolicy(SyncHold.DISABLED, gate.maxHold(), gate.maxHoldRequired(), gate.scope(), false, false);
        scope = new ReplacementScope.Off(ReplacementScope.Why.SWITCHED_OFF);
        replacement = new Facts.ReplacementState(false, false, "off: switched off", false);
        return this;
    }

    public Facts facts() {
        var levels = new Policy.Levels(Policy.Values.DEFAULT, true, scope, Set.of("kube-system"));
        return new Facts(
                NOW,
                new Facts.Replica("interlock-0", "gitops-interlock", "1.0", NOW.minus(Duration.ofHours(3))),
                new InstalledPolicy(true, levels, levels, gate),
                replacement,
                certificate,
                new Facts.Cluster(caches, namespaces, isBreakGlassOn),
                HeldRollout.in(holds, NOW),
                reviews.snapshot());
    }

    public StatusPage page() {
        return StatusPage.of(facts());
    }

    /** A Job's edit gets this answer from the API server. */
    public void decided(Instant now, String name, boolean isDryRun, Decision decision) {
        decided(now, new ApiServer(), name, isDryRun, decision);
    }

    public void decided(Instant now, Caller caller, String name, boolean isDryRun, Decision decision) {
        reviews.decided(now, "mutate-jobs", caller, job(name, isDryRun), decision);
    }

    public static Decision refused(String name, String... fields) {
        return Decision.deny(Refusals.of(
                new GuidanceCode("KubectlJobEdit"), Tool.KUBECTL, new ObjectName("shop", name), List.of(fields)));
    }

    private static Change job(String name, boolean isDryRun) {
        var tree = Trees.json("{'kind': 'Job', 'metadata': {'name': 'x'}}");
        return Change.of(
                ResourceType.JOB,
                Operation.UPDATE,
                new ObjectName("shop", name),
                tree,
                tree,
                new Requester("alice", "", List.of(), Map.of()),
                "kubectl",
                "",
                isDryRun);
    }

    /** A Node of this pool is held back, or would be, until twenty minutes after this. */
    public void held(Instant now, String pool, String node) {
        var named = Trees.JSON.createObjectNode();
        named.putObject("metadata").put("name", pool).put("uid", pool);
        var rollout = KnownCluster.rollout(Pool.of(named), "rendered-b");
        var held = new RolloutHeld(
                rollout.scope(), node, new Syncs(List.of("payments")), now, now.plus(Duration.ofMinutes(20)));
        if (gate.syncHold() == SyncHold.OBSERVE) {
            holds.observed(rollout, held, now);
        } else {
            holds.refused(rollout, held, now);
        }
    }
}
