package dev.gitopsinterlock.machineconfig;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.Gate.Closed;
import dev.gitopsinterlock.gate.Gate.Free;
import dev.gitopsinterlock.gate.Gate.Open;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.gate.GateRule;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.Rollout;
import dev.gitopsinterlock.gate.RolloutAhead;
import dev.gitopsinterlock.gate.RolloutReason;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.policy.UnknownPolicyValue;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Says beside a change of a MachineConfig, which is always admitted, which rollouts will wait, and for which syncs.
 * Refusing it instead would block the very sync that carries it, until Argo CD gives up.
 */
public final class ConfigAdviceRule {

    private ConfigAdviceRule() {}

    public static Decision decide(
            ConfigChange change,
            MachineConfigController controller,
            Optional<List<RunningSync>> syncs,
            GatePolicy policy,
            Instant now) {
        if (!policy.isWatching()) {
            return Decision.allow(RolloutReason.POLICY);
        }
        if (controller.isOperators(change.user()) || change.isRendered()) {
            return Decision.allow(RolloutReason.SKIPPED);
        }
        if (!change.changesContent()) {
            return Decision.allow(RolloutReason.NO_ROLLOUT);
        }
        var known = controller.known().get();
        if (known.pools().isEmpty()) {
            return Decision.allow(RolloutReason.UNKNOWN_POOLS);
        }
        var concerned = known.pools().get().stream()
                .filter(pool -> !pool.isPaused() && pool.machines() > 0 && change.concerns(pool))
                .toList();
        var findings = concerned.stream()
                .flatMap(pool -> UnknownPolicyValue.in(SyncHold.SETTING, Level.POOL, pool.syncHold()).stream())
                .distinct()
                .toList();
        var rollouts = concerned.stream()
                .map(pool -> controller.rollout(pool, pool.target(), known))
                .toList();
        return advice(rollouts, syncs, policy, now).withWarnings(findings);
    }

    private static Decision advice(
            List<Rollout> rollouts, Optional<List<RunningSync>> syncs, GatePolicy policy, Instant now) {
        var held = new ArrayList<Closed>();
        var reason = RolloutReason.NO_ROLLOUT;
        for (var rollout : rollouts) {
            switch (GateRule.look(rollout, syncs, policy, now)) {
                case Closed closed when closed.isObserved() -> reason = RolloutReason.OBSERVED;
                case Closed closed -> held.add(closed);
                case Open(var found) -> reason = found;
                // which Jobs will run by then nobody knows
                case Free(var _, var observed, var _) ->
                    reason = observed.isPresent() ? RolloutReason.OBSERVED : RolloutReason.NO_SYNC;
            }
        }
        if (held.isEmpty()) {
            return Decision.allow(reason);
        }
        return Decision.allow(RolloutReason.ROLLOUT_AHEAD).withWarnings(List.of(ahead(held, policy, now)));
    }

    private static Warning ahead(List<Closed> held, GatePolicy policy, Instant now) {
        var longest = held.stream()
                .map(closed -> policy.limit(closed.rollout()))
                .max(Duration::compareTo)
                .orElseThrow();
        return new RolloutAhead(
                held.stream().map(closed -> closed.rollout().scope().name()).toList(),
                held.getFirst().holder() instanceof Syncs syncs ? syncs : Syncs.NONE,
                now.plus(longest).plus(MachineConfigController.PAUSES));
    }
}
