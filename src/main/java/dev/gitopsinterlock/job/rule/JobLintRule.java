package dev.gitopsinterlock.job.rule;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.EditReason;
import dev.gitopsinterlock.job.lint.JobLint;
import dev.gitopsinterlock.policy.Policy;
import java.util.Map;

/** Warns about a new Job that says something unknown, or something that does not do what it says. Never refuses, and is silent about Jobs that are never touched. */
public final class JobLintRule {

    private JobLintRule() {}

    /** The Namespace's findings are left out: they are said where they have an effect, not at every new Job. */
    public static Decision decide(Change change, Policy.Levels levels) {
        if (change.operation() != Operation.CREATE
                || change.isForOthers()
                || levels.isExempt(change.object().namespace())) {
            return Decision.allow(EditReason.SKIPPED);
        }
        var policy = levels.resolve(change.object().namespace(), change.annotations(), Map.of());
        return Decision.allow(EditReason.NO_IMMUTABLE_CHANGE)
                .withWarnings(policy.findings())
                .withWarnings(JobLint.of(change));
    }
}
