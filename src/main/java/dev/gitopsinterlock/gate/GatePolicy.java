package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How long rollouts wait, and for what.
 *
 * @param syncHold whether they wait at all
 * @param maxHold how long a rollout is held at most
 * @param maxHoldRequired how long one that upgrades of the cluster wait for
 * @param scope which syncs count
 */
public record GatePolicy(SyncHold syncHold, Duration maxHold, Duration maxHoldRequired, SyncScope scope) {

    public boolean isEnabled() {
        return syncHold == SyncHold.ENABLED;
    }

    public Duration limit(Rollout rollout) {
        return rollout.treatment().isRequiredForUpgrade() ? maxHoldRequired : maxHold;
    }

    /** Names of the Applications whose syncs count, in the order of the alphabet. */
    public List<String> counted(List<RunningSync> syncs, Instant now) {
        return syncs.stream()
                .filter(sync -> scope.counts(sync, now))
                .map(RunningSync::name)
                .distinct()
                .sorted()
                .toList();
    }
}
