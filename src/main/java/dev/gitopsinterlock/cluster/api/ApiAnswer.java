package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/**
 * What the API server said.
 *
 * @param status of HTTP
 * @param body an object or a Status; a missing node where it was neither
 * @param date when, by the clock of the API server, to the second; empty where it did not say
 */
public record ApiAnswer(int status, JsonNode body, Optional<Instant> date) {

    /** An answer without the time at which it was given. */
    public ApiAnswer(int status, JsonNode body) {
        this(status, body, Optional.empty());
    }

    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** Nobody knows whether what was asked for has happened. */
    public boolean isUnclear() {
        return status >= 500;
    }

    /** Asking again may help. */
    public boolean isTransient() {
        return status == 429 || isUnclear() || (status == 409 && !alreadyExists());
    }

    /**
     * The object may not be created, now or later. A refusal for want of rights or quota is not of that kind: an API server
     * that has just begun does not know all rights, and a quota counts what was deleted a moment later.
     */
    public boolean isPermanentRefusal() {
        return status == 400 || status == 404 || status == 413 || status == 422 || isOfANamespaceThatGoes();
    }

    private boolean isOfANamespaceThatGoes() {
        return status == 403
                && body.path("details")
                        .path("causes")
                        .findValuesAsText("reason")
                        .contains("NamespaceTerminating");
    }

    public boolean alreadyExists() {
        return status == 409 && body.path("reason").asText().equals("AlreadyExists");
    }

    /** An authorizer said that the one in whose name this was sent may not do it; policies and webhooks say otherwise. */
    public boolean isWithoutRight(String verb, ResourceType type) {
        return status == 403 && message().contains(" cannot %s resource \"%s\"".formatted(verb, type.plural()));
    }

    /** Our own account may not act in the name of others, of this one, or not in this Namespace. */
    public boolean isWithoutImpersonation() {
        return status == 403 && message().contains(" cannot impersonate");
    }

    /**
     * Why it was refused. The API server's own validation prints values of the object, so only its fields are told;
     * the words of a policy, a quota or another webhook are told as they are.
     */
    public String words() {
        var fields = new ArrayList<String>();
        for (var cause : body.path("details").path("causes")) {
            var field = cause.path("field").asText();
            if (field.isEmpty()) {
                return message();
            }
            fields.add(field + " (" + cause.path("reason").asText() + ")");
        }
        return status == 422 && !fields.isEmpty() ? String.join(", ", fields) + " is not valid" : message();
    }

    private String message() {
        var message = body.path("message").asText();
        return message.isEmpty() ? "HTTP status " + status : message;
    }
}
