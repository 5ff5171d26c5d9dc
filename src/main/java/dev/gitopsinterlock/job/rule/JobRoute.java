package dev.gitopsinterlock.job.rule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Asking;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.carryout.CarryOut;
import dev.gitopsinterlock.carryout.EffectRunner;
import dev.gitopsinterlock.carryout.EffectStarter;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.JobReader;
import dev.gitopsinterlock.policy.Namespaces;
import dev.gitopsinterlock.policy.Policy;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The mutating webhook for Jobs: the only place where a refused edit can still be explained, or carried out.
 *
 * @param levels of the policy
 * @param namespaces what is known of Namespaces
 * @param effects who carries edits out
 */
public record JobRoute(Policy.Levels levels, Namespaces namespaces, EffectRunner effects)
        implements Route<JobChange, CarryOut> {

    /** What the API server calls a Job. */
    public static final Set<String> KINDS = Set.of("batch/v1/Job");

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
        return starter().checked(step, asking, (carryOut, outcome) -> JobEditRule.conclude(change, carryOut, outcome));
    }

    @Override
    public Decision conclude(JobChange change, CarryOut carryOut, Asking asking) {
        return JobEditRule.conclude(change, carryOut, starter().carryOut(carryOut.effect(), asking));
    }

    private EffectStarter starter() {
        return new EffectStarter(namespaces, effects);
    }

    @Override
    public List<Fact> about(JobChange change) {
        return change.about();
    }

    @Override
    public Optional<ObjectReference> toldOfRefusals(JobChange change) {
        return change.toldOfRefusals(ResourceType.JOB);
    }

    @Override
    public boolean seesOurOwnDoing() {
        return true;
    }
}
