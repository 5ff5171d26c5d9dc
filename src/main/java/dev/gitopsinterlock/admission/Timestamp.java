package dev.gitopsinterlock.admission;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Times as the API server writes them. */
public final class Timestamp {

    private Timestamp() {}

    /** The moment that a text gives; empty for what is no time. */
    public static Optional<Instant> of(JsonNode text) {
        try {
            return Optional.of(OffsetDateTime.parse(text.asText()).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
