package dev.gitopsinterlock.status;

import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.policy.Policy;
import java.util.Optional;

/**
 * The settings of the service in a cluster, as far as rules need them that are asked from outside.
 *
 * @param isKnown false where nothing tells, so that defaults are assumed
 * @param levels the policy for Jobs
 * @param gate how long rollouts wait, and for what
 * @param holdsForKustomizations whether rollouts wait for Flux, too
 * @param controller the user name of the machine-config controller
 * @param upgradeController that of the system-upgrade-controller; empty where its Plans are not held
 */
public record InstalledPolicy(
        boolean isKnown,
        Policy.Levels levels,
        GatePolicy gate,
        boolean holdsForKustomizations,
        String controller,
        Optional<String> upgradeController) {}
