package dev.gitopsinterlock.edit;

import static dev.gitopsinterlock.admission.SchemaCheck.objectAt;
import static dev.gitopsinterlock.admission.SchemaCheck.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ParseResult.Parsed;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.SchemaCheck;
import dev.gitopsinterlock.tool.Requester;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the facts of a request about an object. */
public final class ChangeReader {

    private ChangeReader() {}

    /**
     * The facts, where the request is as an API server sends it.
     *
     * @param type of the object
     * @param form of the object
     */
    public static ParseResult<Change> read(JsonNode request, ResourceType type, SchemaCheck form) {
        return SchemaCheck.fault(request, form)
                .or(() -> otherName(request))
                .<ParseResult<Change>>map(Unsupported::new)
                .orElseGet(
                        () -> new Parsed<>(change(SchemaCheck.operation(request).orElseThrow(), request, type)));
    }

    /** An object that is another one than the request's is nothing that an API server would ask about. */
    private static Optional<String> otherName(JsonNode request) {
        if (SchemaCheck.operation(request).filter(Operation.UPDATE::equals).isEmpty()) {
            return Optional.empty();
        }
        var object = request.path("object").path("metadata");
        return Stream.of("name", "namespace")
                .flatMap(part -> Stream.of("object", "oldObject")
                        .filter(which -> !text(request.hasNonNull(part) ? request.path(part) : object.path(part))
                                .equals(text(
                                        request.path(which).path("metadata").path(part))))
                        .map(which -> which + ".metadata." + part))
                .findFirst();
    }

    private static Change change(Operation operation, JsonNode request, ResourceType type) {
        var after = objectAt(request, "object");
        return Change.of(
                type,
                operation,
                new ObjectName(
                        text(request.path("namespace")),
                        request.hasNonNull("name")
                                ? text(request.path("name"))
                                : text(after.path("metadata").path("name"))),
                objectAt(request, "oldObject"),
                after,
                Requester.of(request.path("userInfo")),
                text(request.path("options").path("fieldManager")),
                text(request.path("subResource")),
                request.path("dryRun").asBoolean());
    }
}
