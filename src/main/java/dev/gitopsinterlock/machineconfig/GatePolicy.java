package dev.gitopsinterlock.machineconfig;

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
 * @param controller the user name of the machine-config controller
 * @param maxHold how long a rollout is held at most
 * @param maxHoldRequired how long one of a pool that upgrades wait for
 * @param scope which syncs count
 */
public record GatePolicy(
        SyncHold syncHold, String controller, Duration maxHold, Duration maxHoldRequired, SyncScope scope) {

    /**
     * Between a change and the controller's first try lie its debounces; between the end of a hold and its next try up
     * to 82 s, because it comes back less and less often.
     */
    static final Duration CONTROLLERS_PAUSES = Duration.ofMinutes(2);

    public boolean isEnabled() {
        return syncHold == SyncHold.ENABLED;
    }

    /** Whether this is the controller or a neighbour in its Namespace: what these write comes from other changes. */
    boolean isOperators(String user) {
        return user.startsWith(controller.substring(0, controller.lastIndexOf(':') + 1));
    }

    Duration limit(Pool pool) {
        return pool.isRequiredForUpgrade() ? maxHoldRequired : maxHold;
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
