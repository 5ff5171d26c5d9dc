package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One Secret and one webhook configuration in memory, with versions, and a clock. That a real API server does the same,
 * SelfManagedCertificateIT shows.
 */
public final class FakeTrustServer extends FakeServer {

    private final ObjectNode configuration = (ObjectNode) Trees.json("""
                    {'metadata': {'name': 'zz', 'resourceVersion': '1', 'annotations': {'gitops-interlock.dev/certificates': 'selfManaged'}}, 'webhooks': [
                      {'name': 'jobs.gitops-interlock.dev', 'clientConfig': {'service': {'name': 'interlock'}}},
                      {'name': 'jobs.example.com', 'clientConfig': {'url': 'https://example.com'}}]}
                    """);

    private @Nullable ObjectNode secret = empty();
    private Instant now = Instant.parse("2026-11-24T00:00:00Z");
    private int version = 1;
    private int forbidden;
    private boolean isSilent;
    private @Nullable Runnable beforeNextWrite;

    public Instant now() {
        return now;
    }

    public void moveTo(Instant time) {
        now = time;
    }

    public void deleteSecret() {
        secret = null;
    }

    /** Somebody puts other data into the Secret. */
    public void overwriteSecret(String data) {
        secret = empty().set("data", Trees.json(data));
    }

    public JsonNode data() {
        return secret == null ? Trees.JSON.createObjectNode() : secret.path("data");
    }

    public JsonNode webhook(int number) {
        return configuration.path("webhooks").get(number);
    }

    /** A tool puts what it has in Git in the place of what is there. */
    public void resetConfiguration() {
        ((ObjectNode) webhook(0).path("clientConfig")).remove("caBundle");
    }

    /** Patches of configurations are refused with this status from now on; 0: not. */
    public void refusePatches(int status) {
        forbidden = status;
    }

    public void keepSilent(boolean silent) {
        isSilent = silent;
    }

    /** Something comes in between the next time that somebody writes the Secret. */
    public void beforeNextWrite(Runnable what) {
        beforeNextWrite = what;
    }

    @Override
    public ApiAnswer send(ApiRequest request) throws IOException {
        if (isSilent) {
            throw new IOException("silent");
        }
        var isSecret = request.path().startsWith("/api/v1/namespaces/gitops-interlock/secrets/trust");
        return switch (request.method()) {
            case "GET" -> isSecret ? found(secret) : found(configuration);
            case "PUT" -> replace((ObjectNode) request.body());
            case "PATCH" -> isSecret ? apply() : patch((ArrayNode) request.body());
            default -> throw new AssertionError(request.method());
        };
    }

    private ApiAnswer found(@Nullable ObjectNode object) {
        return object == null ? answer(404, Trees.JSON.createObjectNode()) : answer(200, object.deepCopy());
    }

    private ApiAnswer apply() {
        if (secret == null) {
            secret = empty();
        }
        return found(secret);
    }

    private ApiAnswer replace(ObjectNode other) {
        var between = beforeNextWrite;
        beforeNextWrite = null;
        if (between != null) {
            between.run();
        }
        if (secret == null || !secret.path("metadata").equals(other.path("metadata"))) {
            return answer(409, Trees.json("{'reason': 'Conflict'}"));
        }
        version++;
        secret = other.deepCopy();
        secret.withObject("/metadata").put("resourceVersion", Integer.toString(version));
        return found(secret);
    }

    private ApiAnswer patch(ArrayNode operations) {
        if (forbidden != 0) {
            return answer(forbidden, Trees.json("{'message': 'no'}"));
        }
        for (var operation : operations) {
            var path = operation.path("path").asText();
            var end = path.lastIndexOf('/');
            var parent = (ObjectNode) configuration.at(path.substring(0, end));
            if (operation.path("op").asText().equals("add")) {
                parent.set(path.substring(end + 1), operation.path("value"));
            } else if (!parent.path(path.substring(end + 1)).equals(operation.path("value"))) {
                return answer(422, Trees.json("{'message': 'the test failed'}"));
            }
        }
        return found(configuration);
    }

    private ObjectNode empty() {
        version++;
        return (ObjectNode) Trees.json("{'metadata': {'name': 'trust', 'resourceVersion': '%d'}}".formatted(version));
    }

    private ApiAnswer answer(int status, JsonNode body) {
        return new ApiAnswer(status, body, Optional.of(now));
    }
}
