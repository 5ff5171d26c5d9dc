package dev.gitopsinterlock.gate;

import static dev.gitopsinterlock.admission.SchemaCheck.part;
import static dev.gitopsinterlock.admission.SchemaCheck.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ParseResult.Parsed;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.SchemaCheck;
import java.util.List;

/** Reads the facts of a request about an object that is about to be restarted. */
final class ObjectReader {

    private static final SchemaCheck OBJECT = new SchemaCheck(
            List.of(part("/metadata", JsonNode::isObject)),
            List.of(
                    part("/metadata/name", SchemaCheck::isName),
                    part("/metadata/labels", SchemaCheck::isMapOfText),
                    part("/metadata/annotations", SchemaCheck::isMapOfText)));

    private ObjectReader() {}

    static ParseResult<ObjectChange> read(JsonNode request) {
        return SchemaCheck.fault(request, OBJECT)
                .<ParseResult<ObjectChange>>map(Unsupported::new)
                .orElseGet(() -> new Parsed<>(new ObjectChange(
                        kind(request.path("kind")),
                        text(present(request).path("metadata").path("name")),
                        SchemaCheck.objectAt(request, "oldObject"),
                        SchemaCheck.objectAt(request, "object"),
                        text(request.path("userInfo").path("username")),
                        request.path("dryRun").asBoolean())));
    }

    /** The object as it is; where it is about to be made, as it would be. */
    private static JsonNode present(JsonNode request) {
        var before = request.path("oldObject");
        return before.isObject() ? before : request.path("object");
    }

    private static String kind(JsonNode kind) {
        return "%s/%s/%s".formatted(text(kind.path("group")), text(kind.path("version")), text(kind.path("kind")));
    }
}
