package dev.gitopsinterlock.testing.review;

import dev.gitopsinterlock.carryout.Outcome;
import dev.gitopsinterlock.job.policy.JobPolicy;
import dev.gitopsinterlock.job.rule.JobRoute;
import dev.gitopsinterlock.job.rule.NewJobRoute;
import java.util.Map;

/** The webhooks for Jobs beside a cluster that is as a test says. */
public final class JobRoutes {

    private JobRoutes() {}

    /**
     * The mutating one.
     *
     * @param namespace annotations of every Namespace
     * @param outcome what comes of whatever is to be done
     */
    public static JobRoute mutating(JobPolicy.Levels levels, Map<String, String> namespace, Outcome outcome) {
        var known = new JobRoute.Namespaces() {
            @Override
            public Map<String, String> of(String name) {
                return namespace;
            }

            @Override
            public boolean isKnown() {
                return true;
            }
        };
        return new JobRoute(levels, known, (caller, effect, patience) -> outcome);
    }

    /** The validating one; nobody listens. */
    public static NewJobRoute validating(JobPolicy.Levels levels) {
        return new NewJobRoute(levels, (caller, job, warnings) -> {});
    }
}
