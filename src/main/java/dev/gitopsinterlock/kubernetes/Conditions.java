package dev.gitopsinterlock.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** The conditions in an object's status. */
public final class Conditions {

    private Conditions() {}

    /** The condition of a type where it has this status: True, False or Unknown. */
    public static Optional<JsonNode> find(JsonNode object, String type, String status) {
        return object.path("status")
                .path("conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals(type)
                        && condition.path("status").asText().equals(status))
                .findFirst();
    }

    public static boolean isTrue(JsonNode object, String type) {
        return find(object, type, "True").isPresent();
    }
}
