package dev.gitopsinterlock.carryout;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * What {@link OurMetadata#REPLACED} says of an object: {@code <uid>/<resourceVersion>/<hash>/<fingerprint>}, the first two of the
 * object whose place it took, the others of the spec that was ordered; and, once the API server has asked about it, its own
 * uid behind that. A mark that came with a copy of an object's manifest has another one's and says nothing.
 */
public record ReplacedMark(String text, String oldResourceVersion, Fingerprint fingerprint, boolean isBound) {

    private static final int OF_ORDER = 4;

    /**
     * Of an object that is to take the place of another one.
     *
     * @param fixed what cannot be changed in place, as it is ordered
     */
    public static String of(JsonNode old, JsonNode fixed, Fingerprint fingerprint) {
        var metadata = old.path("metadata");
        return String.join(
                "/",
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(),
                SpecHash.of(fixed),
                fingerprint.text());
    }

    /** Nothing where the object has none, or another one's. */
    public static Optional<ReplacedMark> on(JsonNode object) {
        var text = object.at(OurMetadata.annotation(OurMetadata.REPLACED)).asText();
        var parts = text.split("/", -1);
        if (parts.length < OF_ORDER || parts.length > OF_ORDER + 1) {
            return Optional.empty();
        }
        var isBound = parts.length > OF_ORDER;
        if (isBound && !parts[OF_ORDER].equals(uid(object))) {
            return Optional.empty();
        }
        return Optional.of(new ReplacedMark(text, parts[1], new Fingerprint(parts[OF_ORDER - 1]), isBound));
    }

    /** Whether this is a PUT made for the object whose place was taken. */
    boolean isPutForTheOldOne(JsonNode submitted) {
        var made = submitted.path("metadata").path("resourceVersion").asText();
        return !made.isEmpty() && made.equals(oldResourceVersion);
    }

    /** The text of the mark that says whose it is. */
    String boundTo(JsonNode object) {
        return isBound ? text : text + "/" + uid(object);
    }

    private static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }
}
