package dev.gitopsinterlock.job.carryout;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.carryout.Effect;
import dev.gitopsinterlock.carryout.Effect.CreateSibling;
import dev.gitopsinterlock.carryout.Effect.ObjectOperation;
import dev.gitopsinterlock.carryout.Effect.ReplaceJob;
import dev.gitopsinterlock.carryout.Effect.ReplaceStatefulSet;
import dev.gitopsinterlock.carryout.Effect.TryReplacement;
import dev.gitopsinterlock.carryout.LiveSpec;
import dev.gitopsinterlock.carryout.OurMetadata;
import dev.gitopsinterlock.carryout.Outcome;
import dev.gitopsinterlock.carryout.Outcome.Done;
import dev.gitopsinterlock.carryout.Outcome.NotImpersonated;
import dev.gitopsinterlock.carryout.Outcome.RecreateFailed;
import dev.gitopsinterlock.carryout.Outcome.Refused;
import dev.gitopsinterlock.carryout.Outcome.RightsMissing;
import dev.gitopsinterlock.carryout.Outcome.Superseded;
import dev.gitopsinterlock.carryout.Outcome.Unavailable;
import dev.gitopsinterlock.carryout.Previews;
import dev.gitopsinterlock.guidance.CarriedOut;
import dev.gitopsinterlock.guidance.CarriedOut.How;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.guidance.ObjectGone;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.JobReason;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.List;

/** What a review of a Job is answered once its effect is done or has failed. */
public final class EffectResponse {

    private EffectResponse() {}

    public static Decision of(JobChange change, Effect effect, Outcome outcome) {
        if (effect instanceof TryReplacement trial) {
            return Previews.denied(trial, outcome);
        }
        var operation = effect.operation();
        return switch (outcome) {
            case Done() -> done(change, effect);
            case Superseded() ->
                Decision.allow(JobReason.SUPERSEDED, LiveSpec.with(change, OurMetadata.REPLACING, "true"));
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
                        .withWarnings(List.of(new ObjectGone(
                                operation.type().kind(), change.object().name(), why)));
        };
    }

    /** Its memory stays: the number goes on with every run, and this is none. */
    public static Decision alreadyRan(JobChange change) {
        var memory =
                change.before().at(OurMetadata.annotation(OurMetadata.LAST_RUN)).asText();
        return Decision.allow(JobReason.ALREADY_RUN, LiveSpec.with(change, OurMetadata.LAST_RUN, memory))
                .withWarnings(
                        List.of(new CarriedOut(How.ALREADY_RUN, change.object().name())));
    }

    /** What cannot be changed stays as others' webhooks made it; everything else that the edit changes is changed. */
    public static Decision alreadyReplaced(JobChange change, PatchBuilder submitted, List<Difference> refused) {
        LiveSpec.keep(change, submitted, refused.stream().map(Difference::path).toList());
        return Decision.allow(JobReason.ALREADY_REPLACED, submitted.patch())
                .withWarnings(List.of(
                        new CarriedOut(How.ALREADY_REPLACED, change.object().name())));
    }

    private static Decision done(JobChange change, Effect effect) {
        var dryRun = effect.operation().dryRun();
        return switch (effect) {
            case ReplaceJob replacement ->
                Decision.allow(
                                JobReason.REPLACED,
                                dryRun
                                        ? LiveSpec.withDrift(change, OurMetadata.WOULD_REPLACE, "true")
                                        : LiveSpec.with(change, OurMetadata.REPLACING, "true"))
                        .withWarnings(List.of(new CarriedOut(
                                dryRun ? How.WOULD_REPLACE : How.REPLACED,
                                change.object().name())));
            case ReplaceStatefulSet _, TryReplacement _ -> throw new IllegalArgumentException("not of a Job");
            case CreateSibling(var operation, var lastRun) ->
                Decision.allow(
                                JobReason.RUN_STARTED,
                                dryRun
                                        ? LiveSpec.withDrift(change, OurMetadata.LAST_RUN, lastRun)
                                        : LiveSpec.with(change, OurMetadata.LAST_RUN, lastRun))
                        .withWarnings(List.of(new CarriedOut(
                                dryRun ? How.WOULD_START_RUN : How.RUN_STARTED,
                                operation
                                        .newObject()
                                        .path("metadata")
                                        .path("name")
                                        .asText())));
        };
    }

    private static Decision denied(ObjectOperation operation, GuidanceCode code, String reason) {
        return Decision.deny(
                new JobEditGuidance(code, operation.tool(), operation.object(), operation.fields(), reason));
    }

    /**
     * A refusal, as it is to be told. Argo CD's Server-Side Diff forgets one that comes while it compares, and shows the
     * commit as synced (argoproj/argo-cd#28722): it is shown a drift, syncs, and the refusal of that stays in the
     * Application. Where it could not see the drift, it is refused.
     */
    public static Decision told(JobChange change, Decision decision) {
        return decision.verdict() instanceof Deny && change.isComparisonOfArgoCd() && LiveSpec.seesDrift(change)
                ? Decision.allow(
                                JobReason.WOULD_BE_REFUSED,
                                LiveSpec.withDrift(change, OurMetadata.WOULD_BE_REFUSED, "true"))
                        .withWarnings(decision.warnings())
                : decision;
    }
}
