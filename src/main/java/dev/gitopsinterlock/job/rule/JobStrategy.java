package dev.gitopsinterlock.job.rule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.NewObject;
import dev.gitopsinterlock.edit.Obstacle;
import dev.gitopsinterlock.edit.Strategy;
import dev.gitopsinterlock.effect.Effect;
import dev.gitopsinterlock.effect.Effect.CreateSibling;
import dev.gitopsinterlock.effect.Effect.ReplaceJob;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.Done;
import dev.gitopsinterlock.effect.Outcome.NotImpersonated;
import dev.gitopsinterlock.effect.Outcome.RecreateFailed;
import dev.gitopsinterlock.effect.Outcome.Refused;
import dev.gitopsinterlock.effect.Outcome.RightsMissing;
import dev.gitopsinterlock.effect.Outcome.Superseded;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import dev.gitopsinterlock.guidance.EffectWarning;
import dev.gitopsinterlock.guidance.EffectWarning.How;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.Preview;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.effect.Replacement;
import dev.gitopsinterlock.job.effect.SiblingJob;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.WhenActive;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A new Job in the place of a finished one, or beside it. */
final class JobStrategy implements Strategy {

    private static final String JOB_CONTROLLER = "kubernetes.io/job-controller";

    private static final Obstacle NEVER = Obstacle.never("an edit such as this one is never carried out");

    /** Whoever asks for it in vain is told why, even where nothing is ever carried out. */
    @Override
    public boolean isOn(Policy.Levels levels) {
        return true;
    }

    @Override
    public Policy policy(Change change, Policy.Levels levels, Map<String, String> namespace) {
        return levels.resolve(change.object().namespace(), change.annotations(), namespace);
    }

    /** Another Job's manifest, and hooks, which Argo CD looks after. */
    @Override
    public Optional<Obstacle> obstacle(Change change, List<FieldPath> refused, GuidanceCode usual) {
        var isForeign = !GeneratedFields.hasManualSelector(change.before())
                && refused.stream().anyMatch(GeneratedFields::covers);
        if (isForeign) {
            return Optional.of(NEVER);
        }
        return isHookOfArgoCd(change) ? Optional.of(hook(change, usual)) : Optional.empty();
    }

    /** Whoever does not run it as a hook is told that it is one. */
    private static Obstacle hook(Change change, GuidanceCode usual) {
        return change.tool() == Tool.ARGO_CD || usual.equals(GuidanceCode.COMPLETIONS_WITHOUT_PARALLELISM)
                ? NEVER
                : Obstacle.of(GuidanceCode.REPLACE_ARGO_CD_HOOK, new Preview("hook", "it is a hook of Argo CD"));
    }

    private static boolean isHookOfArgoCd(Change change) {
        var marks = change.marks();
        return marks.isArgoCdHook() || (marks.isHelmHook() && change.tool() == Tool.ARGO_CD);
    }

    @Override
    public Optional<Obstacle> obstacleToReplacement(Change change, Policy.Values policy) {
        var live = change.before();
        if (!live.path("metadata").path("finalizers").isEmpty()) {
            return notNow(GuidanceCode.REPLACE_JOB_WITH_FINALIZER, "finalizer", "it has a finalizer");
        }
        if (!live.path("spec").path("managedBy").asText(JOB_CONTROLLER).equals(JOB_CONTROLLER)) {
            return notNow(
                    GuidanceCode.REPLACE_JOB_OF_ANOTHER_CONTROLLER,
                    "another_controller",
                    "another controller manages it");
        }
        return JobState.finishedAt(live).isEmpty() && policy.whenActive() == WhenActive.REJECT
                ? notNow(GuidanceCode.REPLACE_ACTIVE_JOB, "active", "the Job is not finished")
                : Optional.empty();
    }

    private static Optional<Obstacle> notNow(GuidanceCode code, String token, String why) {
        return Optional.of(Obstacle.of(code, new Preview(token, why)));
    }

    @Override
    public ReplaceJob replacement(Change change, JsonNode submitted, List<FieldPath> refused, Policy.Values policy) {
        var job = Replacement.of(change, submitted, policy.ttlSecondsAfterFinished());
        return new ReplaceJob(NewObject.inPlace(change, refused, job), JobState.finishedAt(change.before()));
    }

    @Override
    public boolean isDone(Change change, JsonNode submitted, List<FieldPath> refused) {
        return Replacement.isDone(change, submitted, refused);
    }

    @Override
    public boolean runsBeside() {
        return true;
    }

    @Override
    public Optional<CreateSibling> runBeside(
            Change change, JsonNode submitted, List<FieldPath> refused, Policy.Values policy) {
        var run = SiblingJob.of(change, submitted, policy.ttlSecondsAfterFinished());
        return Optional.of(new CreateSibling(NewObject.beside(change, refused, run.job()), run.lastRun()));
    }

    @Override
    public boolean hasRun(Change change, CreateSibling run) {
        return SiblingJob.remembers(change.before(), run.lastRun());
    }

    @Override
    public Failure failure(Effect effect, Outcome outcome) {
        return switch (outcome) {
            case RightsMissing(var verbs) -> new Failure(GuidanceCode.RIGHTS_MISSING, String.join(" and ", verbs));
            case NotImpersonated(var why) -> new Failure(GuidanceCode.REQUESTER_NOT_IMPERSONATED, why);
            case Refused(var words) -> new Failure(GuidanceCode.NEW_JOB_REFUSED, words);
            case Unavailable(var why) ->
                new Failure(
                        effect instanceof CreateSibling ? GuidanceCode.RUN_NOT_STARTED : GuidanceCode.NOT_REPLACED_NOW,
                        why);
            case RecreateFailed(var why) -> new Failure(GuidanceCode.OLD_JOB_GONE, why);
            case Done _, Superseded _ -> throw new IllegalArgumentException("no failure: " + outcome.token());
        };
    }

    @Override
    public List<Warning> warnings(How how, String name, List<String> fields) {
        return List.of(new EffectWarning(how, "Job", name, false));
    }
}
