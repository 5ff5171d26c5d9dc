package dev.gitopsinterlock.job.carryout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.job.OurMetadata;
import dev.gitopsinterlock.job.SpecHash;
import java.util.Optional;

/**
 * What {@link OurMetadata#REPLACED} says of a Job: {@code <uid>/<resourceVersion>/<hash>/<fingerprint>}, the first two of the
 * Job whose place it took, the others of the spec that was ordered; and, once the API server has asked about it, its own
 * uid behind that. A mark that came with a copy of a Job's manifest has another Job's and says nothing.
 */
public record ReplacedMark(String text, String oldResourceVersion, Fingerprint fingerprint, boolean isBound) {

    private static final int OF_ORDER = 4;

    /** Of a Job that is to take the place of another one. */
    static String of(JsonNode old, JsonNode spec) {
        var metadata = old.path("metadata");
        return String.join(
                "/",
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(),
                SpecHash.hash(spec),
                Fingerprint.of(spec).text());
    }

    /** Nothing where the Job has none, or another Job's. */
    static Optional<ReplacedMark> on(JsonNode job) {
        var text = job.at(OurMetadata.annotation(OurMetadata.REPLACED)).asText();
        var parts = text.split("/", -1);
        if (parts.length < OF_ORDER || parts.length > OF_ORDER + 1) {
            return Optional.empty();
        }
        var isBound = parts.length > OF_ORDER;
        if (isBound && !parts[OF_ORDER].equals(uid(job))) {
            return Optional.empty();
        }
        return Optional.of(new ReplacedMark(text, parts[1], new Fingerprint(parts[OF_ORDER - 1]), isBound));
    }

    /** Whether this is a PUT made for the Job whose place was taken. */
    boolean isPutForTheOldOne(JsonNode submitted) {
        var made = submitted.path("metadata").path("resourceVersion").asText();
        return !made.isEmpty() && made.equals(oldResourceVersion);
    }

    /** The text of the mark that says whose it is. */
    String boundTo(JsonNode job) {
        return isBound ? text : text + "/" + uid(job);
    }

    private static String uid(JsonNode job) {
        return job.path("metadata").path("uid").asText();
    }
}
