package dev.gitopsinterlock.job.rule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.RequestContext;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.ChangeReader;
import dev.gitopsinterlock.policy.Policy;
import java.util.List;
import java.util.Set;

/**
 * The validating webhook for Jobs: advice beside an allowed CREATE, and in an Event on the Job.
 *
 * @param levels of the policy
 * @param listener hears what new Jobs are warned about
 */
public record NewJobRoute(Policy.Levels levels, Listener listener) implements Route<Change, Void> {

    /** Repeats warnings where people look, because GitOps tools do not show them to anybody. */
    public interface Listener {
        /**
         * Returns at once.
         *
         * @param caller proven to be the API server: nobody has seen the Job yet
         * @param job as it will be stored
         * @param warnings at least one
         */
        void warned(ApiServer caller, JsonNode job, List<Warning> warnings);
    }

    @Override
    public String path() {
        return "validate/jobs";
    }

    @Override
    public Set<String> kinds() {
        return JobKind.IDS;
    }

    @Override
    public ParseResult<Change> read(JsonNode request) {
        return ChangeReader.read(request, JobKind.JOB.type(), JobKind.JOB.form());
    }

    @Override
    public Step<Void> decide(Change change, RequestContext context) {
        var decision = JobLintRule.decide(change, levels);
        if (context.caller() instanceof ApiServer apiServer
                && !decision.warnings().isEmpty()
                && !change.dryRun()) {
            listener.warned(apiServer, change.after(), decision.warnings());
        }
        return Step.answered(decision);
    }

    @Override
    public List<Fact> about(Change change) {
        return change.about();
    }

    @Override
    public boolean seesOwnChanges() {
        return true;
    }
}
