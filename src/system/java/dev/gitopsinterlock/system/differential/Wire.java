package dev.gitopsinterlock.system.differential;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Sends plain requests about objects of one collection, mostly the Jobs of one namespace, as one of two users. */
final class Wire {

    /** Who sends: both may do everything. */
    enum User {
        /** A person. The API server asks the service. */
        WITH_US("differential"),
        /** An account whose requests the registration's matchConditions leave out. */
        WITHOUT_US("system:serviceaccount:kube-system:differential");

        private final String name;

        User(String name) {
            this.name = name;
        }
    }

    static final ObjectMapper JSON = new ObjectMapper();

    /** One for all collections: each has threads and connections of its own. */
    private static final Map<ControlPlane, HttpClient> CLIENTS = new ConcurrentHashMap<>();

    private final HttpClient client;
    private final String collection;

    Wire(ControlPlane controlPlane, String namespace) {
        this(controlPlane, "apis/batch/v1", "namespaces/" + namespace + "/jobs");
    }

    /** For objects of another API. */
    Wire(ControlPlane controlPlane, String api, String path) {
        this.client = CLIENTS.computeIfAbsent(controlPlane, Wire::client);
        this.collection = controlPlane.server() + "/" + api + "/" + path;
    }

    private static HttpClient client(ControlPlane controlPlane) {
        // an answer is an answer: the client would ask again after a 500, for minutes
        var config = new ConfigBuilder(controlPlane.admin().getConfiguration())
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build().getHttpClient();
    }

    /** A request whose answer tells whether the edit is accepted. */
    record Request(String verb, String path, Map<String, String> query, String contentType, JsonNode body) {

        Request with(String name, String value) {
            var more = new LinkedHashMap<>(query);
            more.put(name, value);
            return new Request(verb, path, more, contentType, body);
        }

        Request with(JsonNode body) {
            return new Request(verb, path, query, contentType, body);
        }

        Request asDryRun() {
            return with("dryRun", "All");
        }

        @Override
        public String toString() {
            return verb + " " + path + " " + query + " " + contentType + "\n" + body.toPrettyString();
        }
    }

    /**
     * What the API server said.
     *
     * @param warnings the headers of that name
     */
    record Answer(int code, JsonNode body, List<String> warnings) {

        Answer {
            warnings = List.copyOf(warnings);
        }

        private static final Pattern DENIAL =
                Pattern.compile("admission webhook \"[a-z]+\\.gitops-interlock\\.dev\" denied the request: ");

        boolean isAccepted() {
            return code / 100 == 2;
        }

        /** Whether the object is neither gone nor another one than the request names. */
        boolean isOfWhatWasRead() {
            return code != 404 && code != 409;
        }

        boolean hasOurWarning() {
            return warnings.stream().anyMatch(warning -> warning.contains("if Kubernetes rejects this, see "));
        }

        boolean isOurWords() {
            return DENIAL.matcher(body.path("message").asText()).lookingAt();
        }

        boolean isImmutable() {
            return !immutableFields().isEmpty();
        }

        /** Those that the API server names as immutable. */
        List<String> immutableFields() {
            return isOurWords()
                    ? List.of()
                    : body.at("/details/causes")
                            .valueStream()
                            .filter(cause -> cause.path("message").asText().contains("field is immutable"))
                            .map(cause -> cause.path("field").asText())
                            .toList();
        }

        @Override
        public String toString() {
            return code + " " + warnings + " " + body.toPrettyString();
        }
    }

    static Request get(String job) {
        return new Request("GET", "/" + job, Map.of(), "application/json", JSON.nullNode());
    }

    static Request list() {
        return new Request("GET", "", Map.of(), "application/json", JSON.nullNode());
    }

    static Request delete(String job) {
        return new Request(
                "DELETE", "/" + job, Map.of("propagationPolicy", "Background"), "application/json", JSON.nullNode());
    }

    static Request post(JsonNode job) {
        return new Request("POST", "", Map.of("fieldManager", "kubectl-create"), "application/json", job);
    }

    static Request mergePatch(String path, JsonNode patch) {
        return new Request("PATCH", "/" + path, Map.of(), Method.MERGE_PATCH.contentType(), patch);
    }

    Answer send(User user, Request request) {
        var query = request.query.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), UTF_8))
                .collect(Collectors.joining("&", "?", ""));
        var builder = client.newHttpRequestBuilder()
                .uri(collection + request.path + query)
                .header("Impersonate-User", user.name)
                .header("Impersonate-Group", "system:masters");
        if (request.body.isNull()) {
            builder.method(request.verb, request.contentType, "");
        } else {
            builder.method(request.verb, request.contentType, request.body.toString());
        }
        try {
            var response = client.sendAsync(builder.build(), String.class).get(60, TimeUnit.SECONDS);
            return new Answer(response.code(), JSON.readTree(response.body()), response.headers("Warning"));
        } catch (ExecutionException | TimeoutException e) {
            // the API server closes the connection when it panics, which some edits make it do
            var message = e instanceof TimeoutException ? "no answer in time" : String.valueOf(e.getCause());
            return new Answer(0, JSON.createObjectNode().put("message", message), List.of());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no answer to " + request, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
