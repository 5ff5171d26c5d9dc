package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.edit.Reinvocation;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.tool.FieldManager;
import java.io.IOException;
import java.util.Set;

/** What a review says of itself, without the objects that it is about: they are passed over, but for their marks of ours. */
final class Envelope {

    /** Longer than what the API server writes there, and than a mark. */
    private static final int MAX_TEXT = 8 * 1024;

    /** Objects that are looked into, by their place. */
    private static final Set<String> OBJECTS = Set.of(
            "/request",
            "/request/kind",
            "/request/options",
            "/request/object",
            "/request/object/metadata",
            "/request/object/metadata/annotations");

    private static final Set<String> TEXTS =
            Set.of("kind", "apiVersion", "uid", "group", "version", "operation", "fieldManager", OurMetadata.REPLACED);

    private Envelope() {}

    /**
     * Reads to the end.
     *
     * @throws IOException where it is no JSON
     */
    static JsonNode read(JsonParser parser) throws IOException {
        var review = JsonNodeFactory.instance.objectNode();
        if (parser.nextToken() == JsonToken.START_OBJECT) {
            readObject(parser, review, "");
        } else {
            parser.skipChildren();
        }
        if (parser.nextToken() != null) {
            throw new JsonParseException(parser, "something behind the review");
        }
        return review;
    }

    /**
     * Whether the API server asks about what we do ourselves to carry an edit out: the new Job is made, on trial or for
     * good, or its fields' owners are set. Whoever makes a review look like that is told nothing, and nothing is done.
     */
    static boolean isSelfInitiated(JsonNode review) {
        var request = review.path("request");
        return request.path("options").path("fieldManager").asText().equals(FieldManager.OWN)
                || (request.path("operation").asText().equals("CREATE")
                        && Reinvocation.isAwaited(request.path("object")));
    }

    /** Whether it is worth reading: both of these begin with our name, which the API server has no reason to escape. */
    static boolean mayBeSelfInitiated(Body body) {
        return body.mentions(FieldManager.OWN);
    }

    private static void readObject(JsonParser parser, ObjectNode into, String at) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var name = parser.currentName();
            var token = parser.nextToken();
            var place = at + "/" + name;
            if (token == JsonToken.START_OBJECT && OBJECTS.contains(place)) {
                into.remove(name);
                readObject(parser, into.putObject(name), place);
            } else if (token == JsonToken.VALUE_STRING && TEXTS.contains(name)) {
                var text = parser.getText();
                into.put(name, text.substring(0, Math.min(MAX_TEXT, text.length())));
            } else {
                parser.skipChildren();
            }
        }
    }
}
