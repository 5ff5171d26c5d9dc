package dev.gitopsinterlock.system.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.run.Parallel;
import dev.gitopsinterlock.testing.service.Metrics;
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
import java.util.function.IntFunction;

/** Plain requests to the API server, each thread with a connection of its own. Safe for any thread. */
final class Api {

    static final String MERGE = "application/merge-patch+json";
    private static final String JSON = "application/json";
    private static final int AT_A_TIME = 16;

    private final HttpClient http = HttpClient.newBuilder()
            .sslContext(Tls.context())
            .version(Version.HTTP_1_1)
            .build();
    private final String server;
    private final String token;

    /** As an account that may do everything. */
    Api(ControlPlane controlPlane) {
        controlPlane.kubeconfig("scale", "client");
        this(controlPlane, "scale", "client");
    }

    /** As an account that there is already. */
    Api(ControlPlane controlPlane, String namespace, String account) {
        this.server = controlPlane.server();
        this.token = controlPlane.token(namespace, account);
    }

    /**
     * An answer, or that there was none.
     *
     * @param code 0 where nobody answered
     */
    record Answer(int code, String text) {

        JsonNode body() {
            return Trees.json(text.getBytes(UTF_8));
        }

        boolean isSuccess() {
            return code / 100 == 2;
        }

        Answer orFail() {
            if (!isSuccess()) {
                throw new IllegalStateException(toString());
            }
            return this;
        }

        @Override
        public String toString() {
            return code + " " + text;
        }
    }

    /** Once more where nobody answered: a busy API server closes connections. */
    Answer get(String path) {
        var answer = send("GET", path, JSON, "");
        return answer.code() == 0 ? send("GET", path, JSON, "") : answer;
    }

    Answer post(String path, String body) {
        return send("POST", path, JSON, body);
    }

    Answer merge(String path, String body) {
        return send("PATCH", path, MERGE, body);
    }

    Answer delete(String path) {
        return send("DELETE", path, JSON, "");
    }

    /** Makes objects with these numbers. */
    void createAll(String path, int from, int to, IntFunction<String> body) {
        Parallel.run(
                AT_A_TIME,
                to - from,
                number -> post(path, body.apply(from + number)).orFail());
    }

    /** Each by itself: for ten thousand at once an API server takes longer than a client waits. */
    void deleteAll(String path, int count, IntFunction<String> name) {
        Parallel.run(
                AT_A_TIME,
                count,
                number -> delete(path + "/" + name.apply(number)).orFail());
    }

    /** What the API server counts. */
    Metrics metrics() {
        return Metrics.of(get("/metrics").orFail().text());
    }

    private Answer send(String method, String path, String type, String body) {
        var request = HttpRequest.newBuilder(URI.create(server + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", type)
                .timeout(Duration.ofSeconds(60))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        try {
            var answer = http.send(request, BodyHandlers.ofString(UTF_8));
            return new Answer(answer.statusCode(), answer.body());
        } catch (IOException e) {
            return new Answer(0, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
