package dev.gitopsinterlock.cluster.carryout;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.carryout.Effect.ObjectOperation;
import dev.gitopsinterlock.carryout.Outcome;
import dev.gitopsinterlock.carryout.Outcome.Unavailable;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.tool.Tool;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jboss.logging.Logger;

/**
 * What replacements are to lead to, kept in the cluster before anything is deleted and until the new object is there: a
 * Secret each, in our own Namespace, where nobody reads or writes whom the platform does not trust with our account. So a
 * replacement that is interrupted is finished by another replica, or by this one once it is back. Blocks; thread-safe.
 */
@Singleton
final class Intents {

    /** On every such Secret. */
    static final String LABEL = "gitops-interlock.dev/intent";

    static final String REPLACEMENT = "replacement";

    /** On every such Secret: whose place is taken. */
    private static final String OBJECT = "gitops-interlock.dev/object";

    private static final String UID = "gitops-interlock.dev/object-uid";

    private static final Logger LOG = Logger.getLogger(Intents.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int ATTEMPTS = 3;
    private static final String OPERATION = "operation.json.gz";

    /** Replicas of another version may know other fields, and other tools, whose names choose words only. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addHandler(new DeserializationProblemHandler() {
                @Override
                public Object handleWeirdStringValue(
                        DeserializationContext context, Class<?> target, String word, String failure) {
                    return target == Tool.class ? Tool.UNKNOWN : NOT_HANDLED;
                }
            })
            .build();

    private final KubernetesApi api;
    private final Set<String> inHand = ConcurrentHashMap.newKeySet();

    Intents(KubernetesApi api) {
        this.api = api;
    }

    static String newName() {
        return "gitops-interlock-intent-" + UUID.randomUUID();
    }

    /**
     * Keeps an operation under a name of its own.
     *
     * @return why it could not be kept; then nothing is to be deleted
     */
    Optional<Outcome> keep(String name, ObjectOperation operation, Duration patience) {
        inHand.add(name);
        var secret = JsonNodeFactory.instance.objectNode();
        secret.put("apiVersion", "v1").put("kind", "Secret").put("type", "gitops-interlock.dev/intent");
        secret.put("immutable", true);
        var metadata = secret.putObject("metadata").put("name", name);
        metadata.putObject("labels").put(LABEL, REPLACEMENT);
        metadata.putObject("annotations")
                .put(OBJECT, operation.type().plural() + " " + operation.object())
                .put(UID, operation.uid());
        secret.putObject("data").put(OPERATION, encoded(operation));
        try {
            var answer = api.createSecret(secret, patience);
            return answer.isSuccess()
                    ? Optional.empty()
                    : Optional.of(
                            new Unavailable(("the new %s could not be kept in a Secret of gitops-interlock's Namespace"
                                            + ", HTTP status %d")
                                    .formatted(operation.type().kind(), answer.status())));
        } catch (IOException e) {
            LOG.debug("no answer to an intent", e);
            return Optional.of(new Unavailable("the API server did not answer in time"));
        }
    }

    /** It was carried out, or is not to be. Should this fail, whoever looks after intents finds that out. */
    void drop(String name) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                var answer = api.deleteSecret(name, PATIENCE);
                if (answer.isSuccess() || answer.status() == 404) {
                    return;
                }
                LOG.debugf("intent not deleted, HTTP status %d", answer.status());
            } catch (IOException e) {
                LOG.debug("intent not deleted", e);
            }
        }
    }

    /**
     * One of those that are kept.
     *
     * @param object resource and name of the one whose place is to be taken; empty where nothing tells
     * @param uid that one's
     * @param created by the API server's clock
     */
    record Kept(String object, String uid, Instant created) {

        /** Whether there was another one of that name again after this one had been written. */
        boolean isOvertakenBy(Kept other) {
            return !object.isEmpty()
                    && object.equals(other.object)
                    && !uid.equals(other.uid)
                    && created.isBefore(other.created);
        }
    }

    /** All that are there, by their names. */
    Map<String, Kept> kept(Duration patience) throws IOException {
        var answer = api.listSecretMetadata(LABEL, patience);
        if (!answer.isSuccess()) {
            throw new IOException("HTTP status " + answer.status());
        }
        return answer.body()
                .path("items")
                .valueStream()
                .map(item -> item.path("metadata"))
                .collect(Collectors.toMap(
                        metadata -> metadata.path("name").asText(),
                        metadata -> new Kept(
                                metadata.path("annotations").path(OBJECT).asText(),
                                metadata.path("annotations").path(UID).asText(),
                                Instant.parse(metadata.path("creationTimestamp").asText()))));
    }

    /** Whoever began it here is done with it, one way or the other. */
    void letGo(String name) {
        inHand.remove(name);
    }

    /** Whether a thread of this process is still at it. */
    boolean isInHand(String name) {
        return inHand.contains(name);
    }

    /** The operation, unless somebody has carried it out meanwhile. */
    Optional<ObjectOperation> read(String name, Duration patience) throws IOException {
        var answer = api.getSecret(name, patience);
        if (answer.status() == 404) {
            return Optional.empty();
        }
        if (!answer.isSuccess()) {
            throw new IOException("no intent, HTTP status " + answer.status());
        }
        return Optional.of(decoded(answer.body().path("data").path(OPERATION).asText()));
    }

    /** Of the old object only what tells it from another. */
    static String encoded(ObjectOperation operation) {
        var seen = JsonNodeFactory.instance.objectNode();
        seen.putObject("metadata").put("uid", operation.uid());
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(MAPPER.writeValueAsBytes(new ObjectOperation(
                    operation.type(),
                    operation.object(),
                    seen,
                    operation.requester(),
                    operation.tool(),
                    operation.fields(),
                    operation.newObject(),
                    operation.fieldManager(),
                    operation.owners(),
                    operation.dryRun())));
        } catch (IOException e) {
            throw new UncheckedIOException("into memory", e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    static ObjectOperation decoded(String text) throws IOException {
        try (var gzip =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            return MAPPER.readValue(gzip, ObjectOperation.class);
        } catch (IllegalArgumentException e) {
            throw new IOException("an intent that is none", e);
        }
    }
}
