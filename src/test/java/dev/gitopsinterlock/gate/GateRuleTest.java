package dev.gitopsinterlock.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Reason;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.RunningSync.Kind;
import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.gate.Gate.Closed;
import dev.gitopsinterlock.gate.Gate.Free;
import dev.gitopsinterlock.gate.Gate.Open;
import dev.gitopsinterlock.gate.Rollout.Scope;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.policy.UnknownPolicyValue;
import dev.gitopsinterlock.testing.review.Gates;
import dev.gitopsinterlock.testing.review.KnownCluster;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The gate, against a plain reading of its rule. */
class GateRuleTest {

    private static final String CONTROLLER = Gates.CONTROLLER;
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final Duration LIMIT_REQUIRED = Duration.ofMinutes(10);

    private static final Scope SCOPE = Gates.pool("worker");

    enum Change {
        CONFIG,
        IMAGE,
        BACK_TO_WHAT_IT_RUNS,
        BACK_WHILE_IT_IS_BEING_CHANGED,
        NONE
    }

    enum OptOut {
        NONE,
        OBSERVE,
        DISABLED,
        MISTYPED
    }

    enum Syncs {
        UNKNOWN,
        NONE,
        COUNTED,
        OF_ANOTHER_NAMESPACE
    }

    enum Upgrade {
        UNKNOWN,
        YES,
        NO
    }

    enum Age {
        NONE,
        YOUNG,
        BETWEEN_THE_LIMITS,
        OLD;

        Optional<Instant> instant() {
            return switch (this) {
                case NONE -> Optional.empty();
                case YOUNG -> Optional.of(NOW.minusSeconds(60));
                case BETWEEN_THE_LIMITS -> Optional.of(NOW.minusSeconds(15 * 60));
                case OLD -> Optional.of(NOW.minusSeconds(25 * 60));
            };
        }
    }

    @Property(generation = GenerationMode.EXHAUSTIVE)
    void closedIfAndOnlyIfAllOfThisHolds(
            @ForAll boolean enabled,
            @ForAll boolean byTheController,
            @ForAll Change change,
            @ForAll boolean dryRun,
            @ForAll("plainly") OptOut node,
            @ForAll("plainly") OptOut pool,
            @ForAll boolean poolKnown,
            @ForAll Syncs syncs,
            @ForAll Upgrade upgrade,
            @ForAll boolean required,
            @ForAll Age created,
            @ForAll Age updating) {
        var limit = required ? LIMIT_REQUIRED : LIMIT;
        var begin = updating == Age.NONE
                ? NOW
                : created.instant()
                        .filter(made -> made.isAfter(updating.instant().orElseThrow()))
                        .orElse(updating.instant().orElseThrow());
        var expected = enabled
                && byTheController
                && (change == Change.CONFIG
                        || change == Change.IMAGE
                        || change == Change.BACK_WHILE_IT_IS_BEING_CHANGED)
                && !dryRun
                && node != OptOut.DISABLED
                && pool != OptOut.DISABLED
                && poolKnown
                && syncs == Syncs.COUNTED
                && upgrade == Upgrade.NO
                && created != Age.NONE
                && NOW.isBefore(begin.plus(limit));

        var decision = decide(
                change(change, byTheController ? CONTROLLER : "system:node:worker-1", dryRun, node),
                new KnownCluster(
                        syncs(syncs),
                        poolKnown ? Optional.of(List.of(pool(pool, required, updating.instant()))) : Optional.empty(),
                        upgrade == Upgrade.UNKNOWN ? Optional.empty() : Optional.of(upgrade == Upgrade.YES)),
                policy(enabled),
                created.instant(),
                Optional.empty());

        if (expected) {
            assertThat(decision.verdict())
                    .isEqualTo(new Deny(new RolloutHeld(
                            SCOPE, "worker-1", new Holder.Syncs(List.of("payments")), begin, begin.plus(limit))));
        } else {
            assertThat(decision.verdict()).isInstanceOf(Allow.class);
        }
    }

    @Provide
    Arbitrary<OptOut> plainly() {
        return Arbitraries.of(OptOut.NONE, OptOut.DISABLED, OptOut.MISTYPED);
    }

    /** Of the setting, the pool and the Node, the one counts that holds least. */
    @Property(generation = GenerationMode.EXHAUSTIVE)
    void observedWhereOneSaysSoAndNoneSaysDisabled(
            @ForAll SyncHold setting, @ForAll OptOut node, @ForAll OptOut pool, @ForAll Syncs syncs) {
        var isDisabled = setting == SyncHold.DISABLED || node == OptOut.DISABLED || pool == OptOut.DISABLED;
        var isObserved = setting == SyncHold.OBSERVE || node == OptOut.OBSERVE || pool == OptOut.OBSERVE;

        var verdict = decide(
                        change(Change.CONFIG, CONTROLLER, false, node),
                        new KnownCluster(
                                syncs(syncs),
                                Optional.of(List.of(pool(pool, false, Optional.empty()))),
                                Optional.of(false)),
                        policy(setting),
                        Optional.of(NOW),
                        Optional.empty())
                .verdict();

        assertThat(verdict.equals(new Allow(RolloutReason.OBSERVED)))
                .isEqualTo(!isDisabled && isObserved && syncs == Syncs.COUNTED);
        assertThat(verdict instanceof Deny).isEqualTo(!isDisabled && !isObserved && syncs == Syncs.COUNTED);
    }

    @Test
    void eachReasonToOpenHasItsName() {
        assertThat(reason(policy(false), plain(), view())).isEqualTo(RolloutReason.POLICY);
        assertThat(reason(change(Change.CONFIG, "system:admin", false, OptOut.NONE)))
                .isEqualTo(RolloutReason.SKIPPED);
        assertThat(reason(change(Change.NONE, CONTROLLER, false, OptOut.NONE))).isEqualTo(RolloutReason.NO_ROLLOUT);
        assertThat(reason(change(Change.BACK_TO_WHAT_IT_RUNS, CONTROLLER, false, OptOut.NONE)))
                .isEqualTo(RolloutReason.NO_ROLLOUT);
        assertThat(reason(change(Change.CONFIG, CONTROLLER, true, OptOut.NONE))).isEqualTo(RolloutReason.DRY_RUN);
        assertThat(reason(change(Change.CONFIG, CONTROLLER, false, OptOut.DISABLED)))
                .isEqualTo(RolloutReason.OPTED_OUT);
        var pools = Optional.of(List.of(pool(OptOut.NONE, false, Optional.empty())));
        var no = Optional.of(false);
        var sync = syncs(Syncs.COUNTED);
        assertThat(reason(new KnownCluster(Optional.empty(), pools, no))).isEqualTo(RolloutReason.UNKNOWN_SYNCS);
        assertThat(reason(new KnownCluster(syncs(Syncs.NONE), pools, no))).isEqualTo(RolloutReason.NO_SYNC);
        assertThat(reason(new KnownCluster(sync, Optional.empty(), no))).isEqualTo(RolloutReason.UNKNOWN_POOLS);
        assertThat(reason(new KnownCluster(sync, Optional.of(List.of()), no))).isEqualTo(RolloutReason.NO_POOL);
        assertThat(reason(new KnownCluster(sync, pools, Optional.empty()))).isEqualTo(RolloutReason.UNKNOWN_UPGRADE);
        assertThat(reason(new KnownCluster(sync, pools, Optional.of(true)))).isEqualTo(RolloutReason.UPGRADE);
        assertThat(decide(plain(), view(), policy(true), Optional.empty(), Optional.empty())
                        .verdict())
                .isEqualTo(new Allow(RolloutReason.UNKNOWN_TARGET));
    }

    @Test
    void aRefusalThatIsRememberedShortensAHoldOfAPoolThatNeverSaysItIsUpdating() {
        var young = Optional.of(NOW.minusSeconds(5));

        assertThat(decide(plain(), view(), policy(true), young, Optional.of(NOW.minusSeconds(19 * 60)))
                        .verdict())
                .isInstanceOf(Deny.class);
        assertThat(decide(plain(), view(), policy(true), young, Optional.of(NOW.minus(LIMIT)))
                        .verdict())
                .isEqualTo(new Allow(RolloutReason.LIMIT_REACHED));
    }

    @Test
    void aMistypedOptOutOfTheNodeIsTold() {
        var decision = decide(
                change(Change.CONFIG, CONTROLLER, false, OptOut.MISTYPED),
                view(),
                policy(true),
                Optional.of(NOW),
                Optional.empty());

        assertThat(decision.warnings())
                .containsExactly(new UnknownPolicyValue(
                        UnknownPolicyValue.Level.NODE,
                        "gitops-interlock.dev/sync-hold",
                        "disabled",
                        List.of("Enabled", "Observe", "Disabled")));
    }

    private static Reason reason(ObjectChange change) {
        return reason(policy(true), change, view());
    }

    private static Reason reason(KnownCluster view) {
        return reason(policy(true), plain(), view);
    }

    private static Reason reason(GatePolicy policy, ObjectChange change, KnownCluster view) {
        return ((Open) GateRule.look(change, view.makers(), view.syncs(), policy, NOW)).reason();
    }

    private static Decision decide(
            ObjectChange change,
            KnownCluster view,
            GatePolicy policy,
            Optional<Instant> created,
            Optional<Instant> refusedSince) {
        return switch (GateRule.look(change, view.makers(), view.syncs(), policy, NOW)) {
            case Open(var reason) -> GateRule.allow(change, reason);
            case Free free -> throw new AssertionError(free);
            case Closed closed -> GateRule.conclude(change, closed, created, refusedSince, policy, NOW);
        };
    }

    private static ObjectChange plain() {
        return change(Change.CONFIG, CONTROLLER, false, OptOut.NONE);
    }

    private static KnownCluster view() {
        return new KnownCluster(
                syncs(Syncs.COUNTED),
                Optional.of(List.of(pool(OptOut.NONE, false, Optional.empty()))),
                Optional.of(false));
    }

    private static GatePolicy policy(boolean enabled) {
        return policy(enabled ? SyncHold.ENABLED : SyncHold.DISABLED);
    }

    private static GatePolicy policy(SyncHold setting) {
        return new GatePolicy(
                setting,
                LIMIT,
                LIMIT_REQUIRED,
                new SyncScope(List.of("argocd"), List.of("*"), Duration.ofHours(1), List.of()),
                false,
                false);
    }

    private static ObjectChange change(Change change, String user, boolean dryRun, OptOut optOut) {
        var prefix = "machineconfiguration.openshift.io/";
        var before = new HashMap<>(Map.of(prefix + "currentConfig", "a", prefix + "desiredConfig", "a"));
        before.put(prefix + "state", change == Change.BACK_WHILE_IT_IS_BEING_CHANGED ? "Working" : "Done");
        switch (optOut) {
            case NONE -> {}
            case OBSERVE -> before.put("gitops-interlock.dev/sync-hold", "Observe");
            case DISABLED -> before.put("gitops-interlock.dev/sync-hold", "Disabled");
            case MISTYPED -> before.put("gitops-interlock.dev/sync-hold", "disabled");
        }
        var after = new HashMap<>(before);
        switch (change) {
            case CONFIG -> after.put(prefix + "desiredConfig", "b");
            case IMAGE -> after.put(prefix + "desiredImage", "b");
            case BACK_TO_WHAT_IT_RUNS, BACK_WHILE_IT_IS_BEING_CHANGED -> before.put(prefix + "desiredConfig", "b");
            case NONE -> {}
        }
        return new ObjectChange("/v1/Node", "worker-1", node(before), node(after), user, dryRun);
    }

    private static JsonNode node(Map<String, String> annotations) {
        var node = (ObjectNode)
                Trees.json("{'metadata': {'name': 'worker-1', 'labels': {'node-role.kubernetes.io/worker': ''}}}");
        annotations.forEach(node.withObject("/metadata/annotations")::put);
        return node;
    }

    private static Pool pool(OptOut optOut, boolean required, Optional<Instant> updating) {
        var pool =
                (ObjectNode) Trees.json("""
                {'metadata': {'name': 'worker', 'uid': 'u', 'labels': {}, 'annotations': {}},
                 'spec': {'nodeSelector': {'matchLabels': {'node-role.kubernetes.io/worker': ''}},
                          'configuration': {'name': 'b'}},
                 'status': {'machineCount': 3, 'conditions': [
                   {'type': 'Updated', 'status': 'True', 'lastTransitionTime': '2026-11-21T11:59:59Z'},
                   {'type': 'Updating', 'status': '%s', 'lastTransitionTime': '%s'}]}}
                """.formatted(updating.isPresent() ? "True" : "False", updating.orElse(NOW)));
        if (required) {
            pool.withObject("/metadata/labels")
                    .put("operator.machineconfiguration.openshift.io/required-for-upgrade", "");
        }
        switch (optOut) {
            case NONE -> {}
            case OBSERVE -> pool.withObject("/metadata/annotations").put("gitops-interlock.dev/sync-hold", "Observe");
            case DISABLED -> pool.withObject("/metadata/annotations").put("gitops-interlock.dev/sync-hold", "Disabled");
            case MISTYPED -> pool.withObject("/metadata/annotations").put("gitops-interlock.dev/sync-hold", "off");
        }
        return Pool.of(pool);
    }

    private static Optional<List<RunningSync>> syncs(Syncs syncs) {
        return switch (syncs) {
            case UNKNOWN -> Optional.empty();
            case NONE -> Optional.of(List.of());
            case COUNTED -> Optional.of(List.of(sync("argocd")));
            case OF_ANOTHER_NAMESPACE -> Optional.of(List.of(sync("team-a")));
        };
    }

    private static RunningSync sync(String namespace) {
        return new RunningSync(
                Kind.APPLICATION,
                namespace,
                "payments",
                "default",
                Optional.empty(),
                Optional.of(NOW.minusSeconds(30)));
    }
}
