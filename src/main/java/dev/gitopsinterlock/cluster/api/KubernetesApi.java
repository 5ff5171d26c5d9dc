package dev.gitopsinterlock.cluster.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.carryout.Effect.ObjectOperation;
import dev.gitopsinterlock.carryout.OurMetadata;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tracing.CurrentSpan;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The few requests of ours, as plain trees, so that fields that nobody here knows survive. Each is sent exactly once,
 * however it ends. Blocks; every failure that is no answer is an {@link IOException}.
 */
@Singleton
public final class KubernetesApi {

    private static final String JSON = "application/json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

    private static final String METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

    private static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/";

    private final ApiTransport transport;
    private final ProcessClock clock;
    private volatile Optional<Said> said = Optional.empty();

    /**
     * What time the API server said it was.
     *
     * @param nanoTime when it said so, by our clock
     */
    private record Said(Instant date, long nanoTime) {}

    public KubernetesApi(ApiTransport transport, ProcessClock clock) {
        this.transport = transport;
        this.clock = clock;
    }

    /** By the API server's clock, about a second late; by ours as long as it has said nothing. */
    public Instant now() {
        return said.map(last -> last.date.plusNanos(clock.nanoTime() - last.nanoTime))
                .orElseGet(clock::now);
    }

    /** As a dry run whatever the operation says, or not: what is to be done for real is tried first. */
    public ApiAnswer create(ObjectOperation operation, Identity identity, boolean dryRun, Duration patience)
            throws IOException {
        var query =
                "?fieldManager=" + URLEncoder.encode(operation.fieldManager(), UTF_8) + (dryRun ? "&dryRun=All" : "");
        var path = operation.type().path(operation.object().namespace());
        return send("POST", path + query, JSON, operation.newObject(), identity, patience);
    }

    /** As nobody who could do it, without a Job, as a dry run: tells by its refusal who was refused. */
    public ApiAnswer tryToCreateNothing(String namespace, Identity identity, Duration patience) throws IOException {
        var nothing = JsonNodeFactory.instance.objectNode();
        return send("POST", ResourceType.JOB.path(namespace) + "?dryRun=All", JSON, nothing, identity, patience);
    }

    /** What becomes of what belongs to an object that is deleted. */
    public enum Dependents {
        /** Left to the garbage collector. */
        DELETED("Background"),
        /** They stay; the object goes once none names it as its owner any more. */
        ORPHANED("Orphan");

        private final String policy;

        Dependents(String policy) {
            this.policy = policy;
        }
    }

    /** Whether the object that the operation is about could be deleted. Deletes nothing. */
    public ApiAnswer tryToDelete(ObjectOperation operation, Dependents dependents, Identity identity, Duration patience)
            throws IOException {
        var options = deletion(operation.uid(), dependents);
        options.putArray("dryRun").add("All");
        // the API server goes by the body and ignores the query, which is there for readers of the audit log
        var path = operation.type().path(operation.object()) + "?dryRun=All";
        return send("DELETE", path, JSON, options, identity, patience);
    }

    /**
     * Deletes the object that the operation is about, in this version.
     *
     * @param resourceVersion so that nothing that somebody wrote since is deleted with it
     */
    public ApiAnswer delete(
            ObjectOperation operation,
            Dependents dependents,
            String resourceVersion,
            Identity identity,
            Duration patience)
            throws IOException {
        var options = deletion(operation.uid(), dependents);
        options.withObject("/preconditions").put("resourceVersion", resourceVersion);
        return send("DELETE", operation.type().path(operation.object()), JSON, options, identity, patience);
    }

    private static ObjectNode deletion(String uid, Dependents dependents) {
        var options = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "v1")
                .put("kind", "DeleteOptions")
                .put("propagationPolicy", dependents.policy);
        options.putObject("preconditions").put("uid", uid);
        return options;
    }

    /** Whatever has the name of the object that the operation is about. */
    public ApiAnswer get(ObjectOperation operation, Duration patience) throws IOException {
        return get(operation.type(), operation.object(), patience);
    }

    public ApiAnswer get(ResourceType type, ObjectName object, Duration patience) throws IOException {
        return send("GET", type.path(object), JSON, MissingNode.getInstance(), patience);
    }

    /**
     * Waits until the object that the operation is about is gone, for a second at most.
     *
     * @param resourceVersion of the object before that
     * @return the object as it was when it went, with all that was written to it until then; empty where it is still there
     * @throws IOException also where our account may not watch, or that version is too old
     */
    public Optional<JsonNode> awaitGone(ObjectOperation operation, String resourceVersion, Duration patience)
            throws IOException {
        // a proxy that collects an answer before it hands it on has all of it after that second
        var query = "?watch=true&timeoutSeconds=1&fieldSelector="
                + URLEncoder.encode("metadata.name=" + operation.object().name(), UTF_8) + "&resourceVersion="
                + resourceVersion;
        var path = operation.type().path(operation.object().namespace()) + query;
        var request = new ApiRequest("GET", path, JSON, MissingNode.getInstance(), Identity.OWN_ACCOUNT, patience);
        return CurrentSpan.call("GET", () -> {
            CurrentSpan.note("url.path", path.replaceFirst("[?].*", ""));
            return transport
                    .watch(
                            request,
                            event -> event.path("type").asText().equals("DELETED")
                                    && event.at("/object/metadata/uid").asText().equals(operation.uid()))
                    .map(event -> event.path("object"));
        });
    }

    /** Sets an annotation, so that the Job's controller looks at the Job again. */
    public ApiAnswer annotateJob(ObjectName job, String uid, String key, String value, Duration patience)
            throws IOException {
        var patch = JsonNodeFactory.instance.objectNode();
        patch.withObject("/metadata").put("uid", uid).withObject("/annotations").put(key, value);
        var query = "?fieldManager=" + OurMetadata.MANAGER;
        return send("PATCH", ResourceType.JOB.path(job) + query, MERGE_PATCH, patch, patience);
    }

    /**
     * Says whose the fields of the object are that the operation is about.
     *
     * @param metadata with the uid and the version that it is said of; a conflict where the object has another one
     */
    public ApiAnswer setOwners(ObjectOperation operation, JsonNode metadata, JsonNode managedFields, Duration patience)
            throws IOException {
        var patch = JsonNodeFactory.instance.objectNode();
        patch.withObject("/metadata")
                .put("uid", metadata.path("uid").asText())
                .put("resourceVersion", metadata.path("resourceVersion").asText())
                .set("managedFields", managedFields);
        return send("PATCH", written(operation), MERGE_PATCH, patch, patience);
    }

    /**
     * Says of the object that the operation made what became of its metadata. Nothing is done where it has another mark, or
     * is another object, by now.
     */
    public ApiAnswer setReplaced(ObjectOperation operation, JsonNode created, String mark, Duration patience)
            throws IOException {
        var at = OurMetadata.annotation(OurMetadata.REPLACED);
        var uid = PatchBuilder.at("metadata", "uid");
        var patch = JsonNodeFactory.instance.arrayNode();
        patch.addObject().put("op", "test").put("path", uid.toString()).set("value", created.at(uid));
        patch.addObject().put("op", "test").put("path", at.toString()).set("value", created.at(at));
        patch.addObject().put("op", "replace").put("path", at.toString()).put("value", mark);
        return send("PATCH", written(operation), JSON_PATCH, patch, patience);
    }

    private static String written(ObjectOperation operation) {
        return operation.type().path(operation.object()) + "?fieldManager=" + OurMetadata.MANAGER;
    }

    public ApiAnswer reviewAccess(JsonNode review, Duration patience) throws IOException {
        return send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", JSON, review, patience);
    }

    /** What our own account may do. */
    public ApiAnswer reviewOwnAccess(JsonNode review, Duration patience) throws IOException {
        return send("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", JSON, review, patience);
    }

    /** The Namespace that we run in, as far as anybody says. */
    public String ownNamespace() {
        return transport.ownNamespace();
    }

    /** Of the object at this path: its metadata and nothing else. */
    public ApiAnswer getMetadata(String path, Duration patience) throws IOException {
        return send("GET", path, METADATA, MissingNode.getInstance(), patience);
    }

    ApiAnswer getVersion(Duration patience) throws IOException {
        return send("GET", "/version", JSON, MissingNode.getInstance(), patience);
    }

    ApiAnswer createEvent(String namespace, JsonNode event, Duration patience) throws IOException {
        return send("POST", events(namespace), JSON, event, patience);
    }

    ApiAnswer patchEvent(String namespace, String name, JsonNode patch, Duration patience) throws IOException {
        return send("PATCH", events(namespace) + "/" + name, MERGE_PATCH, patch, patience);
    }

    private static String events(String namespace) {
        return "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";
    }

    public ApiAnswer createSecret(JsonNode secret, Duration patience) throws IOException {
        return send("POST", secrets() + "?fieldManager=" + OurMetadata.MANAGER, JSON, secret, patience);
    }

    /** Of those with the label, and nothing that is in them; from the API server's cache. */
    public ApiAnswer listSecretMetadata(String label, Duration patience) throws IOException {
        var query = "?resourceVersion=0&labelSelector=" + URLEncoder.encode(label, UTF_8);
        return send("GET", secrets() + query, METADATA_LIST, MissingNode.getInstance(), patience);
    }

    /** Of the Pods on a Node that have the label and have not ended, in any Namespace: their metadata and nothing else. */
    public ApiAnswer listRunningPodMetadata(String node, String label, Duration patience) throws IOException {
        var fields = "spec.nodeName=" + node + ",status.phase!=Succeeded,status.phase!=Failed";
        var query = "?labelSelector=" + URLEncoder.encode(label, UTF_8) + "&fieldSelector="
                + URLEncoder.encode(fields, UTF_8);
        return send("GET", "/api/v1/pods" + query, METADATA_LIST, MissingNode.getInstance(), patience);
    }

    public ApiAnswer getSecret(String name, Duration patience) throws IOException {
        return send("GET", secrets() + "/" + name, JSON, MissingNode.getInstance(), patience);
    }

    public ApiAnswer deleteSecret(String name, Duration patience) throws IOException {
        var options =
                JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "DeleteOptions");
        return send("DELETE", secrets() + "/" + name, JSON, options, patience);
    }

    /** Makes sure that there is one of this name; leaves what is in it. */
    public ApiAnswer applyEmptySecret(String name, Duration patience) throws IOException {
        var secret =
                JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Secret");
        secret.putObject("metadata").put("name", name);
        var query = "?force=true&fieldManager=" + OurMetadata.MANAGER;
        return send("PATCH", secrets() + "/" + name + query, "application/apply-patch+yaml", secret, patience);
    }

    /** A conflict where it has another resourceVersion. */
    public ApiAnswer replaceSecret(String name, JsonNode secret, Duration patience) throws IOException {
        return send("PUT", secrets() + "/" + name + "?fieldManager=" + OurMetadata.MANAGER, JSON, secret, patience);
    }

    /**
     * One of either kind.
     *
     * @param name with its resource: {@code mutatingwebhookconfigurations/NAME}
     */
    public ApiAnswer getWebhookConfiguration(String name, Duration patience) throws IOException {
        return send("GET", WEBHOOKS + name, JSON, MissingNode.getInstance(), patience);
    }

    /**
     * Changes single fields of it.
     *
     * @param patch of the form of RFC 6902
     */
    public ApiAnswer patchWebhookConfiguration(String name, JsonNode patch, Duration patience) throws IOException {
        var query = "?fieldManager=" + OurMetadata.MANAGER;
        return send("PATCH", WEBHOOKS + name + query, "application/json-patch+json", patch, patience);
    }

    /** In our own Namespace and nowhere else. */
    private String secrets() {
        return "/api/v1/namespaces/" + ownNamespace() + "/secrets";
    }

    private ApiAnswer send(String method, String path, String type, JsonNode body, Duration patience)
            throws IOException {
        return send(method, path, type, body, Identity.OWN_ACCOUNT, patience);
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
