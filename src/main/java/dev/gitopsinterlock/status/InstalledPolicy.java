package dev.gitopsinterlock.status;

import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.makers.KnownMaker;
import dev.gitopsinterlock.policy.Policy;
import java.util.Map;

/**
 * The settings of the service in a cluster, as far as rules need them that are asked from outside.
 *
 * @param isKnown false where nothing tells, so that defaults are assumed
 * @param levels the policy for Jobs
 * @param gate how long rollouts wait, and for what
 * @param holdsForKustomizations whether rollouts wait for Flux, too
 * @param restartMakers user names of those whose rollouts can wait
 */
public record InstalledPolicy(
        boolean isKnown,
        Policy.Levels levels,
        GatePolicy gate,
        boolean holdsForKustomizations,
        Map<KnownMaker, String> restartMakers) {

    public InstalledPolicy {
        restartMakers = Map.copyOf(restartMakers);
    }
}
