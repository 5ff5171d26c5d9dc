package dev.gitopsinterlock.kinds;

import static dev.gitopsinterlock.admission.SchemaCheck.objectAt;
import static dev.gitopsinterlock.admission.SchemaCheck.part;
import static dev.gitopsinterlock.admission.SchemaCheck.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Asking;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ParseResult.Parsed;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.SchemaCheck;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.carryout.CarryOut;
import dev.gitopsinterlock.carryout.EffectRunner;
import dev.gitopsinterlock.carryout.EffectStarter;
import dev.gitopsinterlock.policy.CarryOutScope;
import dev.gitopsinterlock.policy.Namespaces;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.tool.Requester;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * The mutating webhook for the other kinds: where a refused edit can still be explained, or, of a StatefulSet, carried out.
 *
 * @param levels of the policy for them
 * @param namespaces what is known of Namespaces
 * @param effects who carries edits out
 * @param minor the API server's minor version; 0 where it is not known
 */
public record ObjectEditRoute(Policy.Levels levels, Namespaces namespaces, EffectRunner effects, IntSupplier minor)
        implements Route<ObjectEdit, CarryOut> {

    private static final SchemaCheck OBJECT = new SchemaCheck(
            List.of(part("/metadata", JsonNode::isObject), part("/metadata/name", SchemaCheck::isName)),
            List.of(
                    part("/metadata/annotations", SchemaCheck::isMapOfText),
                    part("/metadata/labels", SchemaCheck::isMapOfText),
                    part("/metadata/ownerReferences", JsonNode::isArray),
                    part("/metadata/managedFields", JsonNode::isArray),
                    part("/spec", JsonNode::isObject),
                    part("/spec/volumeClaimTemplates", JsonNode::isArray),
                    part("/status", JsonNode::isObject)));

    @Override
    public String path() {
        return "mutate/objects";
    }

    @Override
    public Set<String> kinds() {
        return GuardedKinds.ids();
    }

    @Override
    public ParseResult<ObjectEdit> read(JsonNode request) {
        return SchemaCheck.fault(request, OBJECT)
                .<ParseResult<ObjectEdit>>map(Unsupported::new)
                .or(() -> kind(request).map(kind -> new Parsed<>(edit(kind, request))))
                .orElseGet(() -> new Unsupported<>("request.kind"));
    }

    private static Optional<GuardedKind> kind(JsonNode request) {
        var kind = request.path("kind");
        return GuardedKinds.of(
                "%s/%s/%s".formatted(text(kind.path("group")), text(kind.path("version")), text(kind.path("kind"))));
    }

    private ObjectEdit edit(GuardedKind kind, JsonNode request) {
        var before = objectAt(request, "oldObject");
        return new ObjectEdit(
                kind,
                SchemaCheck.operation(request).orElseThrow(),
                new ObjectName(
                        text(request.path("namespace")),
                        text(before.path("metadata").path("name"))),
                before,
                objectAt(request, "object"),
                Requester.of(request.path("userInfo")),
                text(request.path("options").path("fieldManager")),
                text(request.path("subResource")),
                request.path("dryRun").asBoolean(),
                minor.getAsInt());
    }

    @Override
    public Step<CarryOut> decide(ObjectEdit edit, Asking asking) {
        var step =
                ObjectEditRule.decide(edit, levels, namespaces.of(edit.object().namespace()));
        return starter().checked(step, asking, (carryOut, outcome) -> ObjectEditRule.conclude(edit, carryOut, outcome));
    }

    @Override
    public Decision conclude(ObjectEdit edit, CarryOut carryOut, Asking asking) {
        return ObjectEditRule.conclude(edit, carryOut, starter().carryOut(carryOut.effect(), asking));
    }

    private EffectStarter starter() {
        return new EffectStarter(namespaces, effects);
    }

    @Override
    public boolean seesOurOwnDoing() {
        return levels.carryOut() instanceof CarryOutScope.On;
    }

    @Override
    public List<Fact> about(ObjectEdit edit) {
        return List.of(
                new Fact("tool", edit.tool().label()),
                new Fact("kind", edit.kind().name()),
                new Fact("object", edit.object().toString()),
                new Fact("dryRun", String.valueOf(edit.dryRun())));
    }

    @Override
    public Optional<ObjectReference> toldOfRefusals(ObjectEdit edit) {
        return edit.toldOfRefusals(edit.kind().type());
    }
}
