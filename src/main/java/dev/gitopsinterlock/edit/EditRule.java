package dev.gitopsinterlock.edit;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.effect.PlannedEffect;
import dev.gitopsinterlock.guidance.UncertainEdit;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Map;

/**
 * Answers an edit that the API server is certain to refuse: with advice in its place, or, where the policy allows, with an
 * effect that carries the edit out. Stage by stage: what is skipped, what came back ({@link Reinvocation}), the kind's
 * repair, classification, policy, and {@link EditPlan}.
 *
 * <p>Promises: never refuses what some supported API server would accept; reads of a Secret's or ConfigMap's content only
 * whether it differs; the same answer for a dry run, but for Argo CD's comparisons, which are shown a drift in place of a
 * refusal; the same answer however often it is asked.
 */
public final class EditRule {

    private EditRule() {}

    /**
     * Decides about one request.
     *
     * @param levels the policy's levels
     * @param namespace annotations of the object's Namespace, as far as they are known
     * @param minor the API server's minor version; 0 where it is not known
     */
    public static Step<PlannedEffect> decide(
            GuardedKind kind, Change change, Policy.Levels levels, Map<String, String> namespace, int minor) {
        if (change.isSkipped() || levels.isExempt(change.object().namespace())) {
            return Step.answered(Decision.allow(EditReason.SKIPPED));
        }
        if (Reinvocation.isStale(change)) {
            // the API server answers with a conflict, after which a client that knows how tries again
            return Step.answered(Decision.allow(EditReason.UNSURE));
        }
        var strategy = kind.strategy(levels);
        var policy = strategy.map(known -> known.policy(change, levels, namespace))
                .orElseGet(() -> levels.withoutReplacement(change.annotations(), namespace));
        if (strategy.isEmpty() && policy.values().onImmutableChange() == OnImmutableChange.IGNORE) {
            return Step.answered(Decision.allow(EditReason.POLICY));
        }
        var submitted = new PatchBuilder(change.after());
        if (strategy.isPresent()) {
            Reinvocation.tidy(change, submitted);
        }
        var warnings = kind.repair().repair(change, submitted, policy.values());
        return kind.classify(change.before(), submitted.object())
                .map(found -> {
                    if (!found.refused().isEmpty()) {
                        return new EditPlan(
                                        kind,
                                        strategy,
                                        change,
                                        submitted,
                                        Classification.fields(found.refused()),
                                        policy,
                                        minor)
                                .step();
                    }
                    return Step.<PlannedEffect>answered(
                            found.unsure().isEmpty() || !kind.tellsOfDoubt()
                                    ? passes(change, submitted, warnings)
                                    : uncertain(kind, change, submitted, found.unsure(), policy.values()));
                })
                .orElseGet(() -> Step.answered(Decision.allow(EditReason.UNSURE)));
    }

    private static Decision passes(Change change, PatchBuilder submitted, List<Warning> warnings) {
        var isRepaired = !submitted.object().path("spec").equals(change.after().path("spec"));
        return Decision.allow(isRepaired ? EditReason.REPAIRED : EditReason.NO_IMMUTABLE_CHANGE, submitted.patch())
                .withWarnings(warnings);
    }

    /**
     * Lets an edit through that the API server may refuse. Who looks at what a client prints is told what would help;
     * a controller that nobody knows, such as a queue's, is not.
     */
    private static Decision uncertain(
            GuardedKind kind, Change change, PatchBuilder submitted, List<Difference> unsure, Policy.Values policy) {
        var allowed = Decision.allow(EditReason.UNSURE, submitted.patch());
        var isUnknownController = change.tool() == Tool.UNKNOWN
                && change.requester().serviceAccount().isPresent();
        return isUnknownController || policy.onImmutableChange() == OnImmutableChange.IGNORE
                ? allowed
                : allowed.withWarnings(
                        List.of(new UncertainEdit(kind.advice().of(change, Classification.fields(unsure)))));
    }
}
