package dev.gitopsinterlock.job;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Operation;
import java.util.Map;

/** What the mutating registration is answered: by {@link JobCreateRule} or by {@link JobEditRule}. */
public final class JobRule {

    private JobRule() {}

    /**
     * Decides about one request.
     *
     * @param levels the policy's levels
     * @param namespace annotations of the Job's Namespace, as far as they are known
     */
    public static Decision decide(JobChange change, JobPolicy.Levels levels, Map<String, String> namespace) {
        return change.operation() == Operation.CREATE
                ? JobCreateRule.decide(change, levels, namespace)
                : JobEditRule.decide(change, levels, namespace);
    }
}
