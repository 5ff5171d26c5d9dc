package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.NewObject;
import dev.gitopsinterlock.edit.Obstacle;
import dev.gitopsinterlock.edit.Strategy;
import dev.gitopsinterlock.effect.Effect;
import dev.gitopsinterlock.effect.Effect.ReplaceStatefulSet;
import dev.gitopsinterlock.effect.Fingerprint;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.Done;
import dev.gitopsinterlock.effect.Outcome.NotImpersonated;
import dev.gitopsinterlock.effect.Outcome.RecreateFailed;
import dev.gitopsinterlock.effect.Outcome.Refused;
import dev.gitopsinterlock.effect.Outcome.RightsMissing;
import dev.gitopsinterlock.effect.Outcome.Superseded;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import dev.gitopsinterlock.effect.ReplacedMark;
import dev.gitopsinterlock.effect.RolloutState;
import dev.gitopsinterlock.guidance.EffectWarning;
import dev.gitopsinterlock.guidance.EffectWarning.How;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.Preview;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.PathPattern;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A new StatefulSet in the place of an old one, whose Pods it takes over. Only where it surely does: it selects them by the
 * same selector, they have the volumes that it names, and no rollout is under way, whose old revision would be lost.
 *
 * @param fixed the fields of its spec that cannot change
 */
record StatefulSetStrategy(List<PathPattern> fixed) implements Strategy {

    private static final String KIND = "StatefulSet";
    private static final String CLAIMS = "spec.volumeClaimTemplates";

    @Override
    public boolean isOn(Policy.Levels levels) {
        return levels.replacement() instanceof ReplacementScope.On;
    }

    @Override
    public Policy policy(Change change, Policy.Levels levels, Map<String, String> namespace) {
        return levels.onImmutableChange(
                change.object().namespace(), Level.STATEFUL_SET, change.annotations(), namespace);
    }

    @Override
    public Optional<Obstacle> obstacle(Change change, List<FieldPath> refused, GuidanceCode usual) {
        // a new one could not use the old Pods, or would be stuck with them (kubernetes#141876)
        return usual.equals(GuidanceCode.STATEFUL_SET_PODS_EDIT)
                ? Optional.of(Obstacle.never("a new one could not use the Pods of the old one"))
                : Optional.empty();
    }

    @Override
    public Optional<Obstacle> obstacleToReplacement(Change change, Policy.Values policy) {
        var live = change.before().path("metadata");
        var state = RolloutState.of(change.before());
        if (!live.path("finalizers").isEmpty()) {
            return notNow("finalizer", "it has a finalizer, and would be gone only once somebody removes that");
        }
        if (state.observed() < live.path("generation").asLong(1)) {
            return notNow("unseen", "its controller has not seen its last change yet");
        }
        return state.isSettled()
                ? Optional.empty()
                : notNow("rollout", "a rollout is under way, or its Pods are not all of its newest revision");
    }

    private static Optional<Obstacle> notNow(String token, String why) {
        return Optional.of(
                new Obstacle(Optional.of(GuidanceCode.STATEFUL_SET_NOT_REPLACED), why, new Preview(token, why)));
    }

    @Override
    public ReplaceStatefulSet replacement(
            Change change, JsonNode submitted, List<FieldPath> refused, Policy.Values policy) {
        var set = new PatchBuilder(submitted);
        NewObject.strip(set);
        var parts = parts(set.object());
        var ordered = JsonNodeFactory.instance.objectNode();
        parts.forEach(ordered::set);
        set.set(
                OurMetadata.annotation(OurMetadata.REPLACED),
                ReplacedMark.of(change.before(), ordered, Fingerprint.of(parts)));
        return new ReplaceStatefulSet(NewObject.inPlace(change, refused, set.object()));
    }

    @Override
    public boolean isDone(Change change, JsonNode submitted, List<FieldPath> refused) {
        return ReplacedMark.on(change.before())
                .filter(mark -> mark.fingerprint().isOrdered(parts(submitted), refused))
                .isPresent();
    }

    @Override
    public Failure failure(Effect effect, Outcome outcome) {
        return switch (outcome) {
            case RightsMissing(var verbs) ->
                notReplaced("you lack the right to %s StatefulSets here".formatted(String.join(" and ", verbs)));
            case NotImpersonated(var why) -> notReplaced(why);
            case Refused(var words) -> notReplaced(words);
            case Unavailable(var why) -> notReplaced(why);
            case RecreateFailed(var why) -> new Failure(GuidanceCode.STATEFUL_SET_GONE, why);
            case Done _, Superseded _ -> throw new IllegalArgumentException("no failure: " + outcome.token());
        };
    }

    private static Failure notReplaced(String why) {
        return new Failure(GuidanceCode.STATEFUL_SET_NOT_REPLACED, why);
    }

    @Override
    public List<Warning> warnings(How how, String name, List<String> fields) {
        var what = new EffectWarning(how, KIND, name, true);
        return fields.stream().anyMatch(field -> field.startsWith(CLAIMS))
                ? List.of(what, new EffectWarning(How.CLAIMS_KEPT, KIND, name, true))
                : List.of(what);
    }

    /** What cannot be changed, field by field, and which of these fields there are. */
    private Map<String, JsonNode> parts(JsonNode set) {
        var parts = new LinkedHashMap<String, JsonNode>();
        var names = JsonNodeFactory.instance.arrayNode();
        for (var field : fixed) {
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
