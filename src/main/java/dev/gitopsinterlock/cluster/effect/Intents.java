package dev.gitopsinterlock.cluster.effect;

import static dev.gitopsinterlock.doctor.Check.ORDER;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.effect.Intents.Found.Gone;
import dev.gitopsinterlock.cluster.effect.Intents.Found.NotOurs;
import dev.gitopsinterlock.cluster.effect.Intents.Found.Order;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URLEncoder;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * What replacements are to lead to, kept in the cluster before anything is deleted and until the new object is there: a
 * Secret each, in our own Namespace. So a replacement that is interrupted is finished by another replica, or by this one
 * once it is back. Each is signed with a key that is in a Secret, too: whoever may not read that one, and puts down an
 * intent, or copies one, gets nothing. Blocks; thread-safe.
 */
@Singleton
final class Intents {

    /** On every such Secret. */
    static final String LABEL = "gitops-interlock.dev/intent";

    static final String REPLACEMENT = "replacement";

    private static final String NAME = "gitops-interlock-intent-";
    private static final String TYPE = "gitops-interlock.dev/intent";
    private static final String ORDER = "order.json.gz";
    private static final String SIGNATURE = "signature";

    /** The Secret with the key, made by the first replica that needs it, and the key in it. */
    private static final String KEY = NAME + "key";

    private static final String KEY_DATA = "key";
    private static final int KEY_LENGTH = 32;

    /** On every such Secret, for people: whose place is taken. */
    private static final String OBJECT = "gitops-interlock.dev/object";

    private static final Logger LOG = Logger.getLogger(Intents.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int ATTEMPTS = 3;

    private final KubernetesApi api;
    private final Set<String> inProgress = ConcurrentHashMap.newKeySet();

    Intents(KubernetesApi api) {
        this.api = api;
    }

    static String newName() {
        return NAME + UUID.randomUUID();
    }

    /** What there may be under an intent's name. */
    sealed interface Found {

        /** Nothing any more: somebody has carried it out. */
        record Gone() implements Found {}

        /** Nothing that a replica of this release wrote, or it was changed since. */
        record NotOurs() implements Found {}

        /**
         * What a replica of this release wrote.
         *
         * @param namespaceUid of the Namespace that it is for
         * @param recorded in seconds since 1970, by the API server's clock
         */
        record Order(ObjectOperation operation, String namespaceUid, long recorded) implements Found {}
    }

    /**
     * Keeps an operation under a name of its own.
     *
     * @return why it could not be kept; then nothing is to be deleted
     */
    Optional<Outcome> keep(String name, ObjectOperation operation, Deadline deadline) {
        inProgress.add(name);
        try {
            var namespace = namespaceUid(operation, deadline.remaining());
            var order = PackedOrder.packed(new Order(
                    PackedOrder.withUidOnly(operation), namespace, api.now().getEpochSecond()));
            var secret = secret(name);
            secret.put("type", TYPE);
            secret.withObject("/metadata/labels").put(LABEL, REPLACEMENT);
            secret.withObject("/metadata/annotations")
                    .put(OBJECT, operation.type().plural() + " " + operation.object());
            var known = key(deadline.remaining());
            var key = known.isPresent() ? known.get() : newKey(deadline.remaining());
            secret.putObject("data").put(ORDER, order).put(SIGNATURE, PackedOrder.signature(name, order, key));
            successful(api.create(secrets(), secret, deadline.remaining()), "a new Secret");
            return Optional.empty();
        } catch (IOException e) {
            LOG.debug("intent not kept", e);
            return Optional.of(
                    new Unavailable("the new %s could not be kept in a Secret of gitops-interlock's Namespace, %s"
                            .formatted(operation.type().kind(), e.getMessage())));
        }
    }

    private static ObjectNode secret(String name) {
        var secret = JsonNodeFactory.instance.objectNode();
        secret.put("apiVersion", "v1").put("kind", "Secret").put("immutable", true);
        secret.putObject("metadata").put("name", name);
        return secret;
    }

    /** In our own Namespace and nowhere else. */
    private String secrets() {
        return ResourceType.SECRET.path(api.ownNamespace());
    }

    private String path(String name) {
        return secrets() + "/" + name;
    }

    /** Read each time: if somebody deletes it, no replica goes on with one that the others do not have. */
    private Optional<byte[]> key(Duration patience) throws IOException {
        var answer = api.get(path(KEY), patience);
        return answer.status() == 404 ? Optional.empty() : Optional.of(keyIn(answer));
    }

    private byte[] newKey(Duration patience) throws IOException {
        var secret = secret(KEY);
        var random = new byte[KEY_LENGTH];
        new SecureRandom().nextBytes(random);
        secret.putObject("data").put(KEY_DATA, random);
        var answer = api.create(secrets(), secret, patience);
        return keyIn(answer.alreadyExists() ? api.get(path(KEY), patience) : answer);
    }

    private static byte[] keyIn(ApiAnswer answer) throws IOException {
        var key =
                successful(answer, "Secret " + KEY).path("data").path(KEY_DATA).binaryValue();
        if (key == null || key.length < KEY_LENGTH) {
            throw new IOException("there is no key in Secret " + KEY);
        }
        return key;
    }

    /** The uid of the Namespace that an operation is for; empty where there is none. */
    String namespaceUid(ObjectOperation operation, Duration patience) throws IOException {
        var answer = api.getMetadata("/api/v1/namespaces/" + operation.object().namespace(), patience);
        return answer.status() == 404
                ? ""
                : successful(answer, "Namespace " + operation.object().namespace())
                        .path("metadata")
                        .path("uid")
                        .asText();
    }

    private static JsonNode successful(ApiAnswer answer, String of) throws IOException {
        if (!answer.isSuccess()) {
            throw new IOException("HTTP status %d for %s".formatted(answer.status(), of));
        }
        return answer.body();
    }

    /** Deletes an intent that is done, or is not to be. Should this fail, recovery finds that out. */
    void drop(String name) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                var answer =
                        api.delete(path(name), JsonNodeFactory.instance.objectNode(), Identity.OWN_ACCOUNT, PATIENCE);
                if (answer.isSuccess() || answer.status() == 404) {
                    return;
                }
                LOG.debugf("intent not deleted, HTTP status %d", answer.status());
            } catch (IOException e) {
                LOG.debug("intent not deleted", e);
            }
        }
    }

    /** The names of all intents. */
    List<String> names(Duration patience) throws IOException {
        // from the API server's cache
        var path = secrets() + "?resourceVersion=0&labelSelector=" + URLEncoder.encode(LABEL, UTF_8);
        return successful(api.listMetadata(path, patience), "a list of Secrets")
                .path("items")
                .valueStream()
                .map(ObjectMeta::name)
                .toList();
    }

    /** Whoever began it here is done with it, one way or the other. */
    void release(String name) {
        inProgress.remove(name);
    }

    /** Whether a thread of this process is still at it. */
    boolean isInProgress(String name) {
        return inProgress.contains(name);
    }

    /** Believes nothing that is not signed, and unpacks none of it. */
    Found read(String name, Duration patience) throws IOException {
        var answer = api.get(path(name), patience);
        if (answer.status() == 404) {
            return new Gone();
        }
        var secret = successful(answer, "Secret " + name);
        var key = key(patience);
        try {
            var order = secret.path("data").path(ORDER).binaryValue();
            var isOurs = secret.path("type").asText().equals(TYPE)
                    && secret.path("immutable").asBoolean()
                    && order != null
                    && key.isPresent()
                    && MessageDigest.isEqual(
                            PackedOrder.signature(name, order, key.get()),
                            secret.path("data").path(SIGNATURE).binaryValue());
            return isOurs ? PackedOrder.unpacked(order) : new NotOurs();
        } catch (IOException e) {
            LOG.debug("intent that cannot be read", e);
            return new NotOurs();
        }
    }
}
