package dev.gitopsinterlock.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gitopsinterlock.cli.input.Unreadable;

/** JSON of which no place matters. */
final class JsonText {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JsonText() {}

    /** A tree; trouble where it is no JSON. */
    static JsonNode parse(String text) throws Unreadable {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw Unreadable.trouble("an answer that is no JSON");
        }
    }
}
