package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.carryout.Effect;
import dev.gitopsinterlock.carryout.Effect.ObjectOperation;
import dev.gitopsinterlock.carryout.Effect.ReplaceStatefulSet;
import dev.gitopsinterlock.carryout.Effect.TryReplacement;
import dev.gitopsinterlock.carryout.Fingerprint;
import dev.gitopsinterlock.carryout.LiveSpec;
import dev.gitopsinterlock.carryout.NewObject;
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
import dev.gitopsinterlock.carryout.ReplacedMark;
import dev.gitopsinterlock.carryout.RolloutState;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.ObjectGone;
import dev.gitopsinterlock.guidance.Preview;
import dev.gitopsinterlock.guidance.StatefulSetReplaced;
import dev.gitopsinterlock.guidance.StatefulSetReplaced.How;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A new StatefulSet in the place of an old one, whose Pods it takes over. Only where it surely does: it selects them by the
 * same selector, they have the volumes that it names, and no rollout is under way, whose old revision would be lost.
 */
final class StatefulSetReplacement {

    private static final String CLAIMS = "volumeClaimTemplates";

    private StatefulSetReplacement() {}

    /** Why this edit is not carried out; empty where nothing stands in the way. */
    static Optional<Preview> obstacle(ObjectEdit edit) {
        var live = edit.before().path("metadata");
        var state = RolloutState.of(edit.before());
        if (!live.path("finalizers").isEmpty()) {
            return Optional.of(
                    new Preview("finalizer", "it has a finalizer, and would be gone only once somebody removes that"));
        }
        if (state.observed() < live.path("generation").asLong(1)) {
            return Optional.of(new Preview("unseen", "its controller has not seen its last change yet"));
        }
        return state.isSettled()
                ? Optional.empty()
                : Optional.of(new Preview(
                        "rollout", "a rollout is under way, or its Pods are not all of its newest revision"));
    }

    /**
     * What is to be done.
     *
     * @param submitted the StatefulSet as the client wants it
     */
    static ReplaceStatefulSet effect(ObjectEdit edit, JsonNode submitted, List<FieldPath> refused) {
        var set = new PatchBuilder(submitted);
        NewObject.strip(set);
        var parts = parts(edit.kind(), set.object());
        var fixed = JsonNodeFactory.instance.objectNode();
        parts.forEach(fixed::set);
        set.set(
                OurMetadata.annotation(OurMetadata.REPLACED),
                ReplacedMark.of(edit.before(), fixed, Fingerprint.of(parts)));
        return new ReplaceStatefulSet(
                ObjectOperation.inPlace(ResourceType.STATEFUL_SET, edit, paths(refused), set.object()));
    }

    /**
     * Whether the live StatefulSet was created for this very edit. What still differs then was put there by another
     * webhook when it was created, and would be again.
     *
     * @param submitted the StatefulSet as the client wants it
     */
    static boolean isDone(ObjectEdit edit, JsonNode submitted, List<FieldPath> refused) {
        return ReplacedMark.on(edit.before())
                .filter(mark -> mark.fingerprint().isOrdered(parts(edit.kind(), submitted), refused))
                .isPresent();
    }

    /** What cannot be changed stays as others' webhooks made it; everything else that the edit changes is changed. */
    static Decision alreadyReplaced(ObjectEdit edit, PatchBuilder submitted, List<FieldPath> refused) {
        LiveSpec.keep(edit, submitted, refused);
        return Decision.allow(ObjectEditReason.ALREADY_REPLACED, submitted.patch())
                .withWarnings(List.of(warning(edit, How.ALREADY_REPLACED)));
    }

    /** The answer, once the effect is done or has failed. */
    static Decision conclude(ObjectEdit edit, Effect effect, Outcome outcome) {
        if (effect instanceof TryReplacement trial) {
            return Previews.denied(trial, outcome);
        }
        var fields = effect.operation().fields();
        return switch (outcome) {
            case Done() -> done(edit, fields);
            case Superseded() ->
                Decision.allow(ObjectEditReason.SUPERSEDED, LiveSpec.with(edit, OurMetadata.REPLACING, "true"));
            case RightsMissing(var verbs) ->
                notReplaced(
                        edit,
                        fields,
                        "you lack the right to %s StatefulSets here".formatted(String.join(" and ", verbs)));
            case NotImpersonated(var why) -> notReplaced(edit, fields, why);
            case Refused(var words) -> notReplaced(edit, fields, words);
            case Unavailable(var why) -> notReplaced(edit, fields, why);
            case RecreateFailed(var why) ->
                denied(edit, GuidanceCode.STATEFUL_SET_GONE, fields, why)
                        .withWarnings(List.of(new ObjectGone(
                                ResourceType.STATEFUL_SET.kind(), edit.object().name(), why)));
        };
    }

    /** The denial of an edit that the policy has carried out, and that is not. */
    static Decision notReplaced(ObjectEdit edit, List<String> fields, String why) {
        return denied(edit, GuidanceCode.STATEFUL_SET_NOT_REPLACED, fields, why);
    }

    static List<String> paths(List<FieldPath> refused) {
        return refused.stream().map(FieldPath::toString).toList();
    }

    private static Decision denied(ObjectEdit edit, GuidanceCode code, List<String> fields, String why) {
        return Decision.deny(RefusedObjectEdit.of(edit, code, fields, why));
    }

    private static Decision done(ObjectEdit edit, List<String> fields) {
        var patch = edit.dryRun()
                ? LiveSpec.withDrift(edit, OurMetadata.WOULD_REPLACE, "true")
                : LiveSpec.with(edit, OurMetadata.REPLACING, "true");
        var claims = fields.stream().anyMatch(field -> field.startsWith("spec." + CLAIMS))
                ? Stream.of(warning(edit, How.CLAIMS_KEPT))
                : Stream.<Warning>empty();
        return Decision.allow(ObjectEditReason.REPLACED, patch)
                .withWarnings(Stream.concat(
                                Stream.of(warning(edit, edit.dryRun() ? How.WOULD_REPLACE : How.REPLACED)), claims)
                        .toList());
    }

    private static Warning warning(ObjectEdit edit, How how) {
        return new StatefulSetReplaced(how, edit.object().name());
    }

    /** What cannot change, field by field, and which of these fields there are. */
    private static Map<String, JsonNode> parts(GuardedKind kind, JsonNode set) {
        var parts = new LinkedHashMap<String, JsonNode>();
        var names = JsonNodeFactory.instance.arrayNode();
        for (var field : kind.table().fields()) {
            var name = field.names().getLast();
            var value = set.path("spec").path(name);
            if (!value.isMissingNode()) {
                parts.put(FieldPath.of("spec", name).toString(), value);
                names.add(name);
            }
        }
        parts.put("spec" + Fingerprint.NAMES, names);
        return parts;
    }
}
