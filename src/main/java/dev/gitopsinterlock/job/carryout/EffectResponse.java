package dev.gitopsinterlock.job.carryout;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.guidance.CarriedOut;
import dev.gitopsinterlock.guidance.CarriedOut.How;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.guidance.JobGone;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.JobReason;
import dev.gitopsinterlock.job.OurMetadata;
import dev.gitopsinterlock.job.carryout.Effect.CreateSibling;
import dev.gitopsinterlock.job.carryout.Effect.JobOperation;
import dev.gitopsinterlock.job.carryout.Effect.ReplaceJob;
import dev.gitopsinterlock.job.carryout.Outcome.Done;
import dev.gitopsinterlock.job.carryout.Outcome.NotImpersonated;
import dev.gitopsinterlock.job.carryout.Outcome.RecreateFailed;
import dev.gitopsinterlock.job.carryout.Outcome.Refused;
import dev.gitopsinterlock.job.carryout.Outcome.RightsMissing;
import dev.gitopsinterlock.job.carryout.Outcome.Superseded;
import dev.gitopsinterlock.job.carryout.Outcome.Unavailable;
import dev.gitopsinterlock.patch.JsonPatch;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.List;

/**
 * What a review is answered once its effect is done or has failed.
 *
 * <p>Whatever was done, the submitted spec must not come before the API server's own validation: the answer puts the
 * live one back. After a replacement the API server then tries to store that over a Job that is gone, fails, reads
 * the new Job and asks again.
 */
public final class EffectResponse {

    private EffectResponse() {}

    public static Decision of(JobChange change, Effect effect, Outcome outcome) {
        var operation = effect.operation();
        return switch (outcome) {
            case Done() -> done(change, effect);
            case Superseded() ->
                Decision.allow(JobReason.SUPERSEDED, withLiveSpec(change, OurMetadata.REPLACING, "true"));
            case RightsMissing(var verbs) ->
                denied(operation, GuidanceCode.RIGHTS_MISSING, String.join(" and ", verbs));
            case NotImpersonated(var why) -> denied(operation, GuidanceCode.REQUESTER_NOT_IMPERSONATED, why);
            case Refused(var words) -> denied(operation, GuidanceCode.NEW_JOB_REFUSED, words);
            case Unavailable(var why) ->
                denied(
                        operation,
                        effect instanceof ReplaceJob ? GuidanceCode.NOT_REPLACED_NOW : GuidanceCode.RUN_NOT_STARTED,
                        why);
            case RecreateFailed(var why) ->
                denied(operation, GuidanceCode.OLD_JOB_GONE, why)
                        .withWarnings(List.of(new JobGone(change.job().name(), why)));
        };
    }

    /** Its memory stays: the number goes on with every run, and this is none. */
    public static Decision alreadyRan(JobChange change) {
        var memory =
                change.before().at(OurMetadata.annotation(OurMetadata.LAST_RUN)).asText();
        return Decision.allow(JobReason.ALREADY_RUN, withLiveSpec(change, OurMetadata.LAST_RUN, memory))
                .withWarnings(
                        List.of(new CarriedOut(How.ALREADY_RUN, change.job().name())));
    }

    /** What cannot be changed stays as others' webhooks made it; everything else that the edit changes is changed. */
    public static Decision alreadyReplaced(JobChange change, PatchBuilder submitted, List<Difference> refused) {
        for (var difference : refused) {
            var field = PatchBuilder.at("spec", difference.path().steps().get(1).name());
            var live = change.before().at(field);
            if (live.isMissingNode()) {
                submitted.remove(field);
            } else {
                submitted.set(field, live);
            }
        }
        return Decision.allow(JobReason.ALREADY_REPLACED, submitted.patch())
                .withWarnings(List.of(
                        new CarriedOut(How.ALREADY_REPLACED, change.job().name())));
    }

    private static Decision done(JobChange change, Effect effect) {
        var dryRun = effect.operation().dryRun();
        return switch (effect) {
            case ReplaceJob replacement ->
                Decision.allow(
                                JobReason.REPLACED,
                                dryRun
                                        ? withDrift(change, OurMetadata.WOULD_REPLACE, "true")
                                        : withLiveSpec(change, OurMetadata.REPLACING, "true"))
                        .withWarnings(List.of(new CarriedOut(
                                dryRun ? How.WOULD_REPLACE : How.REPLACED,
                                change.job().name())));
            case CreateSibling(var operation, var lastRun) ->
                Decision.allow(
                                JobReason.RUN_STARTED,
                                dryRun
                                        ? withDrift(change, OurMetadata.LAST_RUN, lastRun)
                                        : withLiveSpec(change, OurMetadata.LAST_RUN, lastRun))
                        .withWarnings(List.of(new CarriedOut(
                                dryRun ? How.WOULD_START_RUN : How.RUN_STARTED,
                                operation.newJob().path("metadata").path("name").asText())));
        };
    }

    private static Decision denied(JobOperation operation, GuidanceCode code, String reason) {
        return Decision.deny(new JobEditGuidance(code, operation.tool(), operation.job(), operation.fields(), reason));
    }

    private static JsonPatch withLiveSpec(JobChange change, String annotation, String value) {
        return restored(change).set(OurMetadata.annotation(annotation), value).patch();
    }

    /**
     * A refusal, as it is to be told. Argo CD's Server-Side Diff forgets one that comes while it compares, and shows the
     * commit as synced (argoproj/argo-cd#28722): it is shown a drift, syncs, and the refusal of that stays in the
     * Application. Where it could not see the drift, it is refused.
     */
    public static Decision told(JobChange change, Decision decision) {
        return decision.verdict() instanceof Deny && change.isComparisonOfArgoCd() && seesDrift(change)
                ? Decision.allow(JobReason.WOULD_BE_REFUSED, withDrift(change, OurMetadata.WOULD_BE_REFUSED, "true"))
                        .withWarnings(decision.warnings())
                : decision;
    }

    /**
     * For a dry run. Tools that compare before they apply must see that there is something to do; Argo CD's
     * server-side diff looks only at what it owns.
     */
    private static JsonPatch withDrift(JobChange change, String annotation, String value) {
        var answer = restored(change).set(OurMetadata.annotation(annotation), value);
        if (seesDrift(change)) {
            var tracking = OurMetadata.annotation(ToolMetadata.ARGO_TRACKING);
            answer.set(tracking, answer.object().at(tracking).asText() + "#" + annotation);
        }
        return answer.patch();
    }

    private static boolean seesDrift(JobChange change) {
        var owners = change.after().path("metadata").path("managedFields");
        return ManagedFieldsEntries.applies(owners, change.manager().name(), ToolMetadata.ARGO_TRACKING);
    }

    private static PatchBuilder restored(JobChange change) {
        return new PatchBuilder(change.after())
                .set(PatchBuilder.at("spec"), change.before().path("spec"));
    }
}
