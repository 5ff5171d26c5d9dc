package dev.gitopsinterlock.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;

/** Tells one edit from another by what cannot be changed in place: counters and TTLs make no other run. */
final class SpecHash {

    private SpecHash() {}

    static String hash(JsonNode spec) {
        return uuid(immutable(spec).toString()).toString();
    }

    /** What cannot be changed in place; the values are the spec's own. */
    static ObjectNode immutable(JsonNode spec) {
        var content = JsonNodeFactory.instance.objectNode();
        for (var field : ImmutableJobFields.NAMES) {
            if (spec.has(field)) {
                content.set(field, spec.path(field));
            }
        }
        return content;
    }

    /** The same for the same text. */
    static UUID uuid(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(UTF_8));
    }
}
