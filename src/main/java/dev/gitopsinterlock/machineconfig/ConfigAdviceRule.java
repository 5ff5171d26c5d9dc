package dev.gitopsinterlock.machineconfig;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.machineconfig.Gate.Closed;
import dev.gitopsinterlock.machineconfig.Gate.Open;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.policy.UnknownPolicyValue;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Says beside a change of a MachineConfig, which is always admitted, which rollouts will wait, and for which syncs.
 * Refusing it instead would block the very sync that carries it, until Argo CD gives up.
 */
public final class ConfigAdviceRule {

    private ConfigAdviceRule() {}

    public static Decision decide(ConfigChange change, ClusterView cluster, GatePolicy policy, Instant now) {
        if (!policy.isEnabled()) {
            return Decision.allow(RolloutReason.POLICY);
        }
        if (policy.isOperators(change.user()) || change.isRendered()) {
            return Decision.allow(RolloutReason.NEVER_TOUCHED);
        }
        if (!change.changesContent()) {
            return Decision.allow(RolloutReason.NO_ROLLOUT);
        }
        if (cluster.pools().isEmpty()) {
            return Decision.allow(RolloutReason.UNKNOWN_POOLS);
        }
        var concerned = cluster.pools().get().stream()
                .filter(pool -> !pool.isPaused() && pool.machines() > 0 && change.concerns(pool))
                .toList();
        var findings = concerned.stream()
                .flatMap(pool -> UnknownPolicyValue.in(SyncHold.SETTING, Level.POOL, pool.syncHold()).stream())
                .distinct()
                .toList();
        return advice(concerned, cluster, policy, now).withWarnings(findings);
    }

    private static Decision advice(List<Pool> concerned, ClusterView cluster, GatePolicy policy, Instant now) {
        var held = new ArrayList<Closed>();
        var reason = RolloutReason.NO_ROLLOUT;
        for (var pool : concerned) {
            switch (NodeGateRule.look(pool, cluster, policy, now)) {
                case Closed closed -> held.add(closed);
                case Open(var found) -> reason = found;
            }
        }
        if (held.isEmpty()) {
            return Decision.allow(reason);
        }
        return Decision.allow(RolloutReason.ROLLOUT_AHEAD).withWarnings(List.of(ahead(held, policy, now)));
    }

    private static Warning ahead(List<Closed> held, GatePolicy policy, Instant now) {
        var longest = held.stream()
                .map(closed -> policy.limit(closed.pool()))
                .max(Duration::compareTo)
                .orElseThrow();
        return new RolloutAhead(
                held.stream().map(closed -> closed.pool().name()).toList(),
                held.getFirst().syncs(),
                now.plus(longest).plus(GatePolicy.CONTROLLERS_PAUSES));
    }
}
