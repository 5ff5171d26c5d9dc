package dev.gitopsinterlock.edit;

import static dev.gitopsinterlock.admission.SchemaCheck.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.RequestContext;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.effect.EffectRunner;
import dev.gitopsinterlock.effect.EffectStarter;
import dev.gitopsinterlock.effect.PlannedEffect;
import dev.gitopsinterlock.policy.Namespaces;
import dev.gitopsinterlock.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * A mutating webhook: the only place where a refused edit can still be explained, or carried out.
 *
 * @param path of the requests, without a slash before it
 * @param guarded its kinds
 * @param levels of the policy for them
 * @param namespaces what is known of Namespaces
 * @param effects who carries edits out
 * @param minor the API server's minor version; 0 where it is not known
 * @param creations what new objects get
 */
public record EditRoute(
        String path,
        Kinds guarded,
        Policy.Levels levels,
        Namespaces namespaces,
        EffectRunner effects,
        IntSupplier minor,
        CreateRule creations)
        implements Route<Change, PlannedEffect> {

    /** Gives new objects what the policy wants. */
    @FunctionalInterface
    public interface CreateRule {

        /** Leaves them alone. */
        CreateRule NONE = (change, levels, namespace) -> Decision.allow(EditReason.SKIPPED);

        /**
         * Decides about one request.
         *
         * @param levels the policy's levels
         * @param namespace annotations of the object's Namespace, as far as they are known
         */
        Decision decide(Change change, Policy.Levels levels, Map<String, String> namespace);
    }

    @Override
    public Set<String> kinds() {
        return guarded.byId().keySet();
    }

    @Override
    public ParseResult<Change> read(JsonNode request) {
        var type = request.path("kind");
        return Optional.ofNullable(guarded.byId()
                        .get(ResourceType.id(
                                text(type.path("group")), text(type.path("version")), text(type.path("kind")))))
                .map(kind -> ChangeReader.read(request, kind.type(), kind.form()))
                .orElseGet(() -> new Unsupported<>("request.kind"));
    }

    @Override
    public Step<PlannedEffect> decide(Change change, RequestContext context) {
        var namespace = namespaces.of(change.object().namespace());
        var step = switch (change.operation()) {
            case CREATE -> Step.<PlannedEffect>answered(creations.decide(change, levels, namespace));
            default -> EditRule.decide(kind(change), change, levels, namespace, minor.getAsInt());
        };
        return starter()
                .checked(step, context, (planned, outcome) -> answer(change).conclude(planned, outcome));
    }

    @Override
    public Decision conclude(Change change, PlannedEffect planned, RequestContext context) {
        return answer(change).conclude(planned, starter().run(planned.effect(), context));
    }

    private EditAnswer answer(Change change) {
        return new EditAnswer(kind(change), change, minor.getAsInt());
    }

    private GuardedKind kind(Change change) {
        return Objects.requireNonNull(guarded.byId().get(change.type().id()));
    }

    private EffectStarter starter() {
        return new EffectStarter(namespaces, effects);
    }

    @Override
    public List<Fact> about(Change change) {
        return change.about();
    }

    @Override
    public Optional<ObjectReference> denialEventTarget(Change change) {
        return change.dryRun() ? Optional.empty() : Optional.of(ObjectReference.to(change.type(), change.before()));
    }

    @Override
    public boolean seesOwnChanges() {
        return guarded.all().stream().anyMatch(kind -> kind.strategy(levels).isPresent());
    }
}
