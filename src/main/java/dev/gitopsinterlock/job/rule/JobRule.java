package dev.gitopsinterlock.job.rule;

import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.carryout.CarryOut;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.policy.Policy;
import java.util.Map;

/** What the mutating webhook configuration is answered: by {@link JobCreateRule} or by {@link JobEditRule}. */
public final class JobRule {

    private JobRule() {}

    /**
     * Decides about one request.
     *
     * @param levels the policy's levels
     * @param namespace annotations of the Job's Namespace, as far as they are known
     */
    public static Step<CarryOut> decide(JobChange change, Policy.Levels levels, Map<String, String> namespace) {
        return change.operation() == Operation.CREATE
                ? Step.answered(JobCreateRule.decide(change, levels, namespace))
                : JobEditRule.decide(change, levels, namespace);
    }
}
