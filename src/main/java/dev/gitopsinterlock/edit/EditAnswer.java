package dev.gitopsinterlock.edit;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.effect.Effect;
import dev.gitopsinterlock.effect.Effect.CreateSibling;
import dev.gitopsinterlock.effect.Effect.TryReplacement;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.Done;
import dev.gitopsinterlock.effect.Outcome.RecreateFailed;
import dev.gitopsinterlock.effect.Outcome.Superseded;
import dev.gitopsinterlock.effect.PlannedEffect;
import dev.gitopsinterlock.guidance.EffectWarning.How;
import dev.gitopsinterlock.guidance.ObjectGone;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.patch.JsonPatch;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.List;

/**
 * What a review is answered once its edit is carried out, or could not be.
 *
 * @param minor the API server's minor version; 0 where it is not known
 */
record EditAnswer(GuardedKind kind, Change change, int minor) {

    private static final String TRUE = "true";

    /** Decides again, once something was done or tried. */
    Decision conclude(PlannedEffect planned, Outcome outcome) {
        return forServerSideDiff(of(planned.effect(), outcome)).withWarnings(planned.warnings());
    }

    private Decision of(Effect effect, Outcome outcome) {
        if (effect instanceof TryReplacement trial) {
            return Previews.denied(trial, outcome);
        }
        return switch (outcome) {
            case Done() -> done(effect);
            case Superseded() -> Decision.allow(EditReason.SUPERSEDED, live(OurMetadata.REPLACING, TRUE));
            case RecreateFailed(var why) ->
                failed(effect, outcome)
                        .withWarnings(List.of(
                                new ObjectGone(kind.name(), change.object().name(), why)));
            default -> failed(effect, outcome);
        };
    }

    private Decision failed(Effect effect, Outcome outcome) {
        var failure = strategy().failure(effect, outcome);
        return Decision.deny(
                kind.denial(change, failure.code(), effect.operation().fields(), failure.reason(), minor));
    }

    private Decision done(Effect effect) {
        var fields = effect.operation().fields();
        if (effect instanceof CreateSibling(var operation, var lastRun)) {
            var name = operation.newObject().path("metadata").path("name").asText();
            return change.dryRun()
                    ? allowed(
                            EditReason.RUN_STARTED,
                            drift(OurMetadata.LAST_RUN, lastRun),
                            How.WOULD_START_RUN,
                            name,
                            fields)
                    : allowed(
                            EditReason.RUN_STARTED, live(OurMetadata.LAST_RUN, lastRun), How.RUN_STARTED, name, fields);
        }
        var name = change.object().name();
        return change.dryRun()
                ? allowed(EditReason.REPLACED, drift(OurMetadata.WOULD_REPLACE, TRUE), How.WOULD_REPLACE, name, fields)
                : allowed(EditReason.REPLACED, live(OurMetadata.REPLACING, TRUE), How.REPLACED, name, fields);
    }

    /** Its memory stays: the number goes on with every run, and this is none. */
    Decision alreadyRan() {
        var memory =
                change.before().at(OurMetadata.annotation(OurMetadata.LAST_RUN)).asText();
        return allowed(
                EditReason.ALREADY_RUN,
                live(OurMetadata.LAST_RUN, memory),
                How.ALREADY_RUN,
                change.object().name(),
                List.of());
    }

    /** What cannot be changed stays as others' webhooks made it; everything else that the edit changes is changed. */
    Decision alreadyReplaced(PatchBuilder submitted, List<FieldPath> refused) {
        LiveSpec.keep(change, submitted, refused);
        return allowed(
                EditReason.ALREADY_REPLACED,
                submitted.patch(),
                How.ALREADY_REPLACED,
                change.object().name(),
                List.of());
    }

    private Decision allowed(EditReason reason, JsonPatch patch, How how, String name, List<String> fields) {
        return Decision.allow(reason, patch).withWarnings(strategy().warnings(how, name, fields));
    }

    private JsonPatch live(String annotation, String value) {
        return LiveSpec.with(change, annotation, value);
    }

    private JsonPatch drift(String annotation, String value) {
        return LiveSpec.withDrift(change, annotation, value);
    }

    private Strategy strategy() {
        return kind.strategy().orElseThrow();
    }

    /**
     * A refusal, ours or the API server's, as it is to be told. Argo CD's Server-Side Diff forgets one that comes while it compares, and shows the
     * commit as synced (argoproj/argo-cd#28722): it is shown a drift, syncs, and the refusal of that stays in the
     * Application. Where it could not see the drift, it is refused; so are other contents of a Secret or ConfigMap, because
     * to put back the old ones the answer would have to contain them.
     */
    Decision forServerSideDiff(Decision decision) {
        return isRefused(decision) && LiveSpec.seesDrift(change) && !changesContent()
                ? Decision.allow(EditReason.WOULD_BE_REFUSED, drift(OurMetadata.WOULD_BE_REFUSED, TRUE))
                        .withWarnings(decision.warnings())
                : decision;
    }

    private static boolean isRefused(Decision decision) {
        return switch (decision.verdict()) {
            case Deny _ -> true;
            case Allow(var reason, var _) -> reason == EditReason.WARNED;
        };
    }

    private boolean changesContent() {
        return LiveSpec.differing(change).anyMatch(field -> kind.semantics().isOpaqueMap(FieldPath.of(field)));
    }
}
