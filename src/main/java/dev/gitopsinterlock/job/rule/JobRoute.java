package dev.gitopsinterlock.job.rule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Asking;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.admission.Step.Answered;
import dev.gitopsinterlock.admission.Step.Ask;
import dev.gitopsinterlock.carryout.CarryOut;
import dev.gitopsinterlock.carryout.EffectRunner;
import dev.gitopsinterlock.carryout.Outcome;
import dev.gitopsinterlock.carryout.Outcome.Unavailable;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.JobReader;
import dev.gitopsinterlock.job.policy.JobPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The mutating webhook for Jobs: the only place where a refused edit can still be explained, or carried out.
 *
 * @param levels of the policy
 * @param namespaces what is known of Namespaces
 * @param effects who carries edits out
 */
public record JobRoute(JobPolicy.Levels levels, Namespaces namespaces, EffectRunner effects)
        implements Route<JobChange, CarryOut> {

    /** What the API server calls a Job. */
    public static final Set<String> KINDS = Set.of("batch/v1/Job");

    private static final Outcome UNTRUSTED = new Unavailable(
            "the caller did not prove that it is the API server: the path in the webhook configuration lacks the caller token or has another one");
    private static final Outcome TOO_LARGE =
            new Unavailable("gitops-interlock has too little memory to replace a Job as large as this one");
    private static final Outcome UNKNOWN_POLICY =
            new Unavailable("the Namespace's policy is not known, because Namespaces cannot be watched");

    /** Our annotations on Namespaces, from memory. */
    public interface Namespaces {
        /** Of one; empty where it has none or is not known. */
        Map<String, String> of(String namespace);

        /** Whether what is not there is really not there. */
        boolean isKnown();
    }

    @Override
    public String path() {
        return "mutate/jobs";
    }

    @Override
    public Set<String> kinds() {
        return KINDS;
    }

    @Override
    public ParseResult<JobChange> read(JsonNode request) {
        return JobReader.read(request);
    }

    @Override
    public Step<CarryOut> decide(JobChange change, Asking asking) {
        var step = JobRule.decide(change, levels, namespaces.of(change.object().namespace()));
        return switch (step) {
            case Answered<CarryOut> answered -> answered;
            case Ask<CarryOut>(var carryOut) ->
                obstacle(asking)
                        .map(outcome -> Step.<CarryOut>answered(JobEditRule.conclude(change, carryOut, outcome)))
                        .orElse(step);
        };
    }

    /** Why nothing is begun, whatever the edit. */
    private Optional<Outcome> obstacle(Asking asking) {
        if (!namespaces.isKnown()) {
            // it may say Reject
            return Optional.of(UNKNOWN_POLICY);
        }
        if (!asking.leavesRoom()) {
            return Optional.of(TOO_LARGE);
        }
        return asking.caller() instanceof ApiServer ? Optional.empty() : Optional.of(UNTRUSTED);
    }

    @Override
    public Decision conclude(JobChange change, CarryOut carryOut, Asking asking) {
        var outcome = asking.caller() instanceof ApiServer apiServer
                ? effects.carryOut(
                        apiServer, carryOut.effect(), asking.patience().remaining())
                : UNTRUSTED;
        return JobEditRule.conclude(change, carryOut, outcome);
    }

    @Override
    public String about(JobChange change) {
        return change.about();
    }

    @Override
    public boolean seesOurOwnDoing() {
        return true;
    }
}
