package dev.gitopsinterlock.system.stress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.service.Tls;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Plain requests to the API server about Jobs, or StatefulSets, of an account that may do everything; each thread has a
 * connection of its own.
 */
final class Client {

    private static final String MANAGER = "?fieldManager=stress";
    private static final String JSON = "application/json";

    private final HttpClient http = HttpClient.newBuilder()
            .sslContext(Tls.context())
            .version(Version.HTTP_1_1)
            .build();
    private final String api;
    private final String namespace;
    private final ResourceType type;
    private final String token;

    Client(ControlPlane controlPlane, String namespace) {
        this(controlPlane, namespace, ResourceType.JOB);
    }

    Client(ControlPlane controlPlane, String namespace, ResourceType type) {
        this.api = controlPlane.server();
        this.namespace = namespace;
        this.type = type;
        controlPlane.kubeconfig("stress", "client");
        this.token = controlPlane.token("stress", "client");
    }

    record Answer(int code, JsonNode body) {

        Answer orFail() {
            if (!isSuccess()) {
                throw new IllegalStateException(toString());
            }
            return this;
        }

        String uid() {
            return body.at("/metadata/uid").asText();
        }

        boolean isSuccess() {
            return code / 100 == 2;
        }

        @Override
        public String toString() {
            return code + " " + body.path("message").asText();
        }
    }

    /** Where nobody answered. */
    private static Answer none(IOException failure) {
        return new Answer(
                0, Trees.json("{'message': '%s'}".formatted(failure.getClass().getSimpleName())));
    }

    Answer create(JsonNode job) {
        return send("POST", path("") + MANAGER, JSON, job);
    }

    /** By the server, without force. */
    Answer apply(JsonNode job) {
        return send(
                "PATCH", path("/" + job.at("/metadata/name").asText()) + MANAGER, "application/apply-patch+yaml", job);
    }

    /** By the subresource that autoscalers use. */
    Answer scale(String set, int replicas) {
        return send(
                "PATCH",
                path("/" + set + "/scale") + MANAGER,
                "application/merge-patch+json",
                Trees.json("{'spec': {'replicas': %d}}".formatted(replicas)));
    }

    Answer patch(String job, JsonNode patch) {
        return send("PATCH", path("/" + job) + MANAGER, "application/merge-patch+json", patch);
    }

    Answer put(String name, JsonNode job) {
        return send("PUT", path("/" + name) + MANAGER, JSON, job);
    }

    /** As a controller in Go does, once: with the version that it read. */
    Answer readAndPut(String name, JsonNode changes) {
        try {
            return put(name, Trees.JSON.readerForUpdating(get(name).body()).readValue(changes));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Answer get(String job) {
        return send("GET", path("/" + job), JSON, Trees.json("{}"));
    }

    /** The Job, once it got where it should. */
    Answer awaitReached(Kind kind, String job) {
        return await(job).atMost(Duration.ofMinutes(1)).until(() -> get(job), answer -> kind.isReached(answer.body()));
    }

    Answer delete(String job) {
        return send("DELETE", path("/" + job), JSON, Trees.json("{'propagationPolicy': 'Background'}"));
    }

    JsonNode list() {
        return send("GET", path(""), JSON, Trees.json("{}")).orFail().body().path("items");
    }

    private String path(String rest) {
        return api + type.path(namespace) + rest;
    }

    private Answer send(String method, String url, String type, JsonNode body) {
        var publisher = method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(Trees.bytes(body));
        var request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", type)
                .timeout(Duration.ofSeconds(60))
                .method(method, publisher)
                .build();
        try {
            var answer = http.send(request, BodyHandlers.ofString(UTF_8));
            return new Answer(answer.statusCode(), Trees.json(answer.body().getBytes(UTF_8)));
        } catch (IOException e) {
            return none(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
