package dev.gitopsinterlock.status;

import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.policy.Policy;

/**
 * The policy of the service in a cluster.
 *
 * @param isKnown false where nothing tells, so that defaults are assumed
 * @param jobs the policy for Jobs
 * @param objects the policy for the other kinds
 * @param gate how long rollouts wait, and for what
 */
public record InstalledPolicy(boolean isKnown, Policy.Levels jobs, Policy.Levels objects, GatePolicy gate) {}
