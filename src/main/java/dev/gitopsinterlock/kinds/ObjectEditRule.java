package dev.gitopsinterlock.kinds;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.carryout.CarryOut;
import dev.gitopsinterlock.carryout.Effect.TryReplacement;
import dev.gitopsinterlock.carryout.Outcome;
import dev.gitopsinterlock.carryout.Reinvocation;
import dev.gitopsinterlock.guidance.AdviceBeside;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.Preview;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.CarryOutScope;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.PolicySettings;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answers an edit that every supported API server refuses: with advice in its place, or, of a StatefulSet where the policy
 * allows, with an effect that carries it out.
 *
 * <p>Promises: never refuses what some supported API server would accept; reads of a Secret's or ConfigMap's content only
 * whether it differs; the same answer however often it is asked.
 */
final class ObjectEditRule {

    private ObjectEditRule() {}

    /**
     * Decides about one request.
     *
     * @param levels of the policy
     * @param namespace annotations of the object's Namespace, as far as they are known
     */
    static Step<CarryOut> decide(ObjectEdit edit, Policy.Levels levels, Map<String, String> namespace) {
        if (edit.isNeverTouched() || levels.isExempt(edit.object().namespace())) {
            return Step.answered(Decision.allow(ObjectEditReason.NEVER_TOUCHED));
        }
        if (Reinvocation.isStale(edit)) {
            // the API server answers with a conflict, after which a client that knows how tries again
            return Step.answered(Decision.allow(ObjectEditReason.UNSURE));
        }
        if (edit.kind().equals(GuardedKinds.STATEFUL_SET) && levels.carryOut() instanceof CarryOutScope.On) {
            return decideAndCarryOut(edit, levels, namespace);
        }
        var word = levels.allowOverrides()
                ? word(edit, levels, namespace)
                : levels.cluster().onImmutableChange();
        if (word == OnImmutableChange.IGNORE) {
            return Step.answered(Decision.allow(ObjectEditReason.POLICY));
        }
        return Step.answered(refused(edit)
                .map(refused -> refused.isEmpty()
                        ? Decision.allow(ObjectEditReason.NO_IMMUTABLE_CHANGE)
                        : word == OnImmutableChange.WARN
                                ? warned(edit, refused)
                                : Decision.deny(RefusedObjectEdit.of(edit, refused)))
                .orElseGet(() -> Decision.allow(ObjectEditReason.UNSURE)));
    }

    private static Optional<List<FieldPath>> refused(ObjectEdit edit) {
        return edit.kind().refused(edit.before(), edit.after());
    }

    private static Step<CarryOut> decideAndCarryOut(
            ObjectEdit edit, Policy.Levels levels, Map<String, String> namespace) {
        var submitted = new PatchBuilder(edit.after());
        Reinvocation.tidy(edit, submitted);
        var refused = refused(edit);
        if (refused.isEmpty() || refused.get().isEmpty()) {
            var reason = refused.isEmpty() ? ObjectEditReason.UNSURE : ObjectEditReason.NO_IMMUTABLE_CHANGE;
            return Step.answered(Decision.allow(reason, submitted.patch()));
        }
        var policy =
                levels.onImmutableChange(edit.object().namespace(), Level.STATEFUL_SET, edit.annotations(), namespace);
        return switch (policy.value()) {
            case IGNORE -> Step.answered(Decision.allow(ObjectEditReason.POLICY));
            case WARN -> Step.answered(warned(edit, refused.get()).withWarnings(policy.findings()));
            case PREVIEW -> preview(edit, submitted, refused.get(), policy.findings());
            case REJECT, GENERATE_NAME ->
                Step.answered(
                        Decision.deny(RefusedObjectEdit.of(edit, refused.get())).withWarnings(policy.findings()));
            case REPLACE -> replace(edit, submitted, refused.get(), policy.findings());
        };
    }

    private static Step<CarryOut> replace(
            ObjectEdit edit, PatchBuilder submitted, List<FieldPath> refused, List<Warning> findings) {
        // the API server asks again about an edit that was carried out: before anything can stand in its way
        if (StatefulSetReplacement.isDone(edit, submitted.object(), refused)) {
            return Step.answered(StatefulSetReplacement.alreadyReplaced(edit, submitted, refused));
        }
        if (Reinvocation.isPutForTheOldOne(edit)) {
            // another edit of the one that is gone: the API server answers with a conflict
            return Step.answered(Decision.allow(ObjectEditReason.UNSURE));
        }
        var advice = RefusedObjectEdit.of(edit, refused);
        if (advice.code().equals(GuidanceCode.STATEFUL_SET_PODS_EDIT)) {
            // a new one could not use the old Pods, or would be stuck with them (kubernetes#141876)
            return Step.answered(Decision.deny(advice).withWarnings(findings));
        }
        return StatefulSetReplacement.obstacle(edit)
                .map(why -> Step.<CarryOut>answered(
                        StatefulSetReplacement.notReplaced(edit, StatefulSetReplacement.paths(refused), why.obstacle())
                                .withWarnings(findings)))
                .orElseGet(() -> new Step.Ask<>(
                        new CarryOut(StatefulSetReplacement.effect(edit, submitted.object(), refused), findings)));
    }

    /** What would become of it, asked in the order in which a replacement asks. */
    private static Step<CarryOut> preview(
            ObjectEdit edit, PatchBuilder submitted, List<FieldPath> refused, List<Warning> findings) {
        var advice = RefusedObjectEdit.of(edit, refused);
        var obstacle = advice.code().equals(GuidanceCode.STATEFUL_SET_PODS_EDIT)
                ? Optional.of(new Preview("never", "a new one could not use the Pods of the old one"))
                : StatefulSetReplacement.obstacle(edit);
        return obstacle.map(why ->
                        Step.<CarryOut>answered(Decision.deny(advice.with(why)).withWarnings(findings)))
                .orElseGet(() -> new Step.Ask<>(new CarryOut(
                        new TryReplacement(
                                StatefulSetReplacement.effect(edit, submitted.object(), refused)
                                        .asDryRun(),
                                advice),
                        findings)));
    }

    /** Left to the API server, which is certain to refuse it. */
    private static Decision warned(ObjectEdit edit, List<FieldPath> refused) {
        return Decision.allow(ObjectEditReason.WARNED)
                .withWarnings(List.of(new AdviceBeside(RefusedObjectEdit.of(edit, refused))));
    }

    /** Decides again, once the edit is carried out or could not be. */
    static Decision conclude(ObjectEdit edit, CarryOut carryOut, Outcome outcome) {
        return StatefulSetReplacement.conclude(edit, carryOut.effect(), outcome).withWarnings(carryOut.warnings());
    }

    /** The nearest annotation counts. Where nothing is carried out, the words that ask for that mean Reject. */
    private static OnImmutableChange word(ObjectEdit edit, Policy.Levels levels, Map<String, String> namespace) {
        var setting = PolicySettings.ON_IMMUTABLE_CHANGE;
        return Stream.of(edit.annotation(setting.annotation()), namespace.getOrDefault(setting.annotation(), ""))
                .map(setting::parse)
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(levels.cluster().onImmutableChange());
    }
}
