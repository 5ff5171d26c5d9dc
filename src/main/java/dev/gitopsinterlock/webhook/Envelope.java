package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;

/** What a review says of itself, without the objects that it is about: they are passed over, and nothing is kept of them. */
final class Envelope {

    /** Longer than what the API server writes there. */
    private static final int MAX_TEXT = 256;

    private Envelope() {}

    /**
     * Reads to the end.
     *
     * @throws IOException where it is no JSON
     */
    static JsonNode read(JsonParser parser) throws IOException {
        var review = JsonNodeFactory.instance.objectNode();
        if (parser.nextToken() == JsonToken.START_OBJECT) {
            readObject(parser, review, Set.of("request"));
        } else {
            parser.skipChildren();
        }
        if (parser.nextToken() != null) {
            throw new JsonParseException(parser, "something behind the review");
        }
        return review;
    }

    /** Texts of the object, and of those objects in it that are named. */
    private static void readObject(JsonParser parser, ObjectNode into, Set<String> named) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var name = parser.currentName();
            var token = parser.nextToken();
            if (token == JsonToken.START_OBJECT && named.contains(name)) {
                into.remove(name);
                readObject(parser, into.putObject(name), Set.of("kind"));
            } else if (token == JsonToken.VALUE_STRING && isOurs(name)) {
                var text = parser.getText();
                into.put(name, text.substring(0, Math.min(MAX_TEXT, text.length())));
            } else {
                parser.skipChildren();
            }
        }
    }

    private static boolean isOurs(String name) {
        return Set.of("kind", "apiVersion", "uid", "group", "version").contains(name);
    }
}
