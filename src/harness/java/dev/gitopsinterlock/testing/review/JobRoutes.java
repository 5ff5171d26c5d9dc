package dev.gitopsinterlock.testing.review;

import dev.gitopsinterlock.edit.EditRoute;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.job.rule.NewJobRoute;
import dev.gitopsinterlock.policy.Namespaces;
import dev.gitopsinterlock.policy.Policy;
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
    public static EditRoute mutating(Policy.Levels levels, Map<String, String> namespace, Outcome outcome) {
        return JobKind.route(levels, known(namespace), (caller, effect, patience) -> outcome);
    }

    /** The validating one; nobody listens. */
    public static NewJobRoute validating(Policy.Levels levels) {
        return new NewJobRoute(levels, (caller, job, warnings) -> {});
    }

    /**
     * Namespaces of which everything is known.
     *
     * @param annotations of every one
     */
    public static Namespaces known(Map<String, String> annotations) {
        return new Namespaces() {
            @Override
            public Map<String, String> of(String name) {
                return annotations;
            }

            @Override
            public boolean isKnown() {
                return true;
            }
        };
    }
}
