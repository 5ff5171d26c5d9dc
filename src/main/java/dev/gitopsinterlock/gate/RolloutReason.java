package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.admission.Reason;
import java.util.Optional;

/** Why a rollout, or the change that begins one, is let through. */
public enum RolloutReason implements Reason {
    /** The sender is skipped on principle. */
    SKIPPED,
    /** The policy says so. */
    POLICY,
    /** No Node is sent to a configuration that it does not run already. */
    NO_ROLLOUT,
    /** Nothing is stored, so that nothing begins. */
    DRY_RUN,
    /** The Node belongs to no pool. */
    NO_POOL,
    /** The Job belongs to no Plan. */
    NO_PLAN,
    /** The review did not come in on the path that the webhook configuration must name. */
    UNTRUSTED,
    /** A person said that this pool or Node does not wait. */
    OPTED_OUT,
    /** It would have to wait, but is only observed. */
    OBSERVED,
    /** No sync that counts is running, and no marked Job where these are waited for. */
    NO_SYNC,
    /** By the cluster's NodeDisruptionPolicy the Node is neither drained nor restarted. */
    RESTARTS_NOTHING,
    /** The cluster is being upgraded, which restarts Nodes anyway and must not be held up. */
    UPGRADE,
    /** The rollout began so long ago that it is not held any longer. */
    LIMIT_REACHED,
    /** Which syncs are running is not known. */
    UNKNOWN_SYNCS,
    /** Which pools there are is not known. */
    UNKNOWN_POOLS,
    /** Which Plans there are is not known. */
    UNKNOWN_PLANS,
    /** Whether the cluster is being upgraded is not known. */
    UNKNOWN_UPGRADE,
    /** How old the Node's target is could not be found out in time. */
    UNKNOWN_TARGET,
    /** Which marked Jobs run on the Node could not be found out in time. */
    UNKNOWN_JOBS,
    /** A change that will be rolled out was admitted, and the rollout will wait. */
    ROLLOUT_AHEAD;

    @Override
    public Optional<String> complaint() {
        return switch (this) {
            case UNKNOWN_SYNCS, UNKNOWN_POOLS, UNKNOWN_PLANS, UNKNOWN_UPGRADE, UNKNOWN_TARGET, UNKNOWN_JOBS ->
                Optional.of("rollout not held, the state of the cluster is not known");
            case SKIPPED,
                    POLICY,
                    NO_ROLLOUT,
                    DRY_RUN,
                    NO_POOL,
                    NO_PLAN,
                    UNTRUSTED,
                    OPTED_OUT,
                    OBSERVED,
                    NO_SYNC,
                    RESTARTS_NOTHING,
                    UPGRADE,
                    LIMIT_REACHED,
                    ROLLOUT_AHEAD -> Optional.empty();
        };
    }
}
