package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.tool.FieldManager;
import dev.gitopsinterlock.tracing.CurrentSpan;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Requests by path, as plain trees, so that fields that nobody here knows survive. Each is sent exactly once, however it
 * ends. What the service writes in its own name has its field manager. Blocks; every failure that is no answer is an
 * {@link IOException}.
 */
@Singleton
public final class KubernetesApi {

    /** For a request for which no review waits. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final String JSON = "application/json";
    private static final String METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    private static final String METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    private static final String OWN = "?fieldManager=" + FieldManager.OWN;

    private final ApiTransport transport;
    private final ProcessClock clock;
    private volatile Optional<Said> said = Optional.empty();

    /**
     * What time the API server said it was.
     *
     * @param nanoTime when it said so, by our clock
     */
    private record Said(Instant date, long nanoTime) {}

    /** How a change is written. */
    public enum Patch {
        MERGE("application/merge-patch+json"),
        JSON("application/json-patch+json"),
        /** Takes the fields from whoever has them. */
        APPLY("application/apply-patch+yaml");

        private final String type;

        Patch(String type) {
            this.type = type;
        }
    }

    public KubernetesApi(ApiTransport transport, ProcessClock clock) {
        this.transport = transport;
        this.clock = clock;
    }

    /** Of another cluster, by a client that whoever made it closes. */
    public static KubernetesApi by(KubernetesClient client, ProcessClock clock) {
        return new KubernetesApi(new HttpTransport(client), clock);
    }

    /** By the API server's clock, about a second late; by ours as long as it has said nothing. */
    public Instant now() {
        return said.map(last -> last.date.plusNanos(clock.nanoTime() - last.nanoTime))
                .orElseGet(clock::now);
    }

    /** The Namespace that we run in, as far as anybody says. */
    public String ownNamespace() {
        return transport.ownNamespace();
    }

    public ApiAnswer get(String path, Duration patience) throws IOException {
        return send("GET", path, JSON, MissingNode.getInstance(), Identity.OWN_ACCOUNT, patience);
    }

    /** The object's metadata and nothing else. */
    public ApiAnswer getMetadata(String path, Duration patience) throws IOException {
        return send("GET", path, METADATA, MissingNode.getInstance(), Identity.OWN_ACCOUNT, patience);
    }

    /** The objects' metadata and nothing else. */
    public ApiAnswer listMetadata(String path, Duration patience) throws IOException {
        return send("GET", path, METADATA_LIST, MissingNode.getInstance(), Identity.OWN_ACCOUNT, patience);
    }

    /**
     * Waits until the API server ends the watch.
     *
     * @return the first awaited event
     * @throws IOException also where our account may not watch, or the version in the path is too old
     */
    public Optional<JsonNode> watch(String path, Predicate<JsonNode> isAwaited, Duration patience) throws IOException {
        var request = new ApiRequest("GET", path, JSON, MissingNode.getInstance(), Identity.OWN_ACCOUNT, patience);
        return CurrentSpan.call("GET", () -> {
            CurrentSpan.note("url.path", path.replaceFirst("[?].*", ""));
            return transport.watch(request, isAwaited);
        });
    }

    public ApiAnswer create(String path, JsonNode object, Duration patience) throws IOException {
        return create(path + OWN, object, Identity.OWN_ACCOUNT, patience);
    }

    /**
     * Creates an object in somebody's name.
     *
     * @param path with the field manager
     */
    public ApiAnswer create(String path, JsonNode object, Identity identity, Duration patience) throws IOException {
        return send("POST", path, JSON, object, identity, patience);
    }

    /** A conflict where the object has another resourceVersion. */
    public ApiAnswer replace(String path, JsonNode object, Duration patience) throws IOException {
        return send("PUT", path + OWN, JSON, object, Identity.OWN_ACCOUNT, patience);
    }

    public ApiAnswer patch(String path, Patch form, JsonNode patch, Duration patience) throws IOException {
        var query = form == Patch.APPLY ? OWN + "&force=true" : OWN;
        return send("PATCH", path + query, form.type, patch, Identity.OWN_ACCOUNT, patience);
    }

    /**
     * Deletes an object.
     *
     * @param options as of the API's DeleteOptions
     */
    public ApiAnswer delete(String path, ObjectNode options, Identity identity, Duration patience) throws IOException {
        options.put("apiVersion", "v1").put("kind", "DeleteOptions");
        return send("DELETE", path, JSON, options, identity, patience);
    }

    private ApiAnswer send(String method, String path, String type, JsonNode body, Identity identity, Duration patience)
            throws IOException {
        return CurrentSpan.call(method, () -> {
            CurrentSpan.note("url.path", path.replaceFirst("[?].*", ""));
            var answer = transport.send(new ApiRequest(method, path, type, body, identity, patience));
            answer.date().ifPresent(date -> said = Optional.of(new Said(date, clock.nanoTime())));
            CurrentSpan.note("http.response.status_code", Integer.toString(answer.status()));
            return answer;
        });
    }
}
