package dev.gitopsinterlock.kinds;

import static dev.gitopsinterlock.admission.SchemaCheck.objectAt;
import static dev.gitopsinterlock.admission.SchemaCheck.part;
import static dev.gitopsinterlock.admission.SchemaCheck.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Asking;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ParseResult.Parsed;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.SchemaCheck;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.job.policy.JobPolicy;
import dev.gitopsinterlock.tool.Requester;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The mutating webhook for the other kinds: where a refused edit can still be explained. It changes nothing.
 *
 * @param levels of the policy
 * @param namespaces annotations of a Namespace, as far as they are known
 */
public record ObjectEditRoute(JobPolicy.Levels levels, Function<String, Map<String, String>> namespaces)
        implements Route<ObjectEdit, Void> {

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

    private static ObjectEdit edit(GuardedKind kind, JsonNode request) {
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
                text(request.path("subResource")));
    }

    @Override
    public Step<Void> decide(ObjectEdit edit, Asking asking) {
        return Step.answered(ObjectEditRule.decide(
                edit, levels, namespaces.apply(edit.object().namespace())));
    }

    @Override
    public String about(ObjectEdit edit) {
        return "tool=%s kind=%s object=%s"
                .formatted(edit.tool().label(), edit.kind().name(), edit.object());
    }
}
