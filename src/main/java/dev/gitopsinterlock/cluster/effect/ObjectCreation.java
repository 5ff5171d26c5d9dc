package dev.gitopsinterlock.cluster.effect;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.KubernetesApi.Patch;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.effect.ReplacedMark;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.patch.PatchBuilder;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Creates the object that takes another one's place, and does what is to be done once it is there. Blocks. */
@Singleton
final class ObjectCreation {

    private static final Logger LOG = Logger.getLogger(ObjectCreation.class);

    /** Its controller writes to a new object a few times within moments. */
    private static final int ATTEMPTS = 5;

    private final KubernetesApi api;
    private final ObjectEvents events;
    private final StuckJobMonitor stuckJobs;

    ObjectCreation(KubernetesApi api, ObjectEvents events, StuckJobMonitor stuckJobs) {
        this.api = api;
        this.events = events;
        this.stuckJobs = stuckJobs;
    }

    /** Tries once; there is never a second object of the name. */
    ApiAnswer create(ObjectOperation operation, Identity identity, Duration patience) throws IOException {
        var answer = send(operation, identity, false, patience);
        if (answer.isSuccess()) {
            created(operation, answer, patience);
        }
        return answer;
    }

    /** Where it is no dry run, what is to be done then is left to the caller. */
    ApiAnswer send(ObjectOperation operation, Identity identity, boolean dryRun, Duration patience) throws IOException {
        var path = operation.type().path(operation.object().namespace());
        var query =
                "?fieldManager=" + URLEncoder.encode(operation.fieldManager(), UTF_8) + (dryRun ? "&dryRun=All" : "");
        return api.create(path + query, operation.newObject(), identity, patience);
    }

    /** Finishes a creation, also one whose answer was lost. */
    void created(ObjectOperation operation, ApiAnswer created, Duration patience) {
        if (operation.owners().isArray() && !operation.owners().isEmpty()) {
            setFieldOwners(operation, created, patience);
        } else {
            markChangedMetadata(operation, created, patience);
        }
        events.replaced(operation, created.body());
        if (operation.type().equals(ResourceType.JOB)) {
            stuckJobs.watch(operation.object(), created.body());
        }
    }

    /**
     * Before the client's request goes on: the API server looks for conflicts before it asks us. In the version that is
     * known, so that what the control plane has come to own since is not taken from it.
     */
    private void setFieldOwners(ObjectOperation operation, ApiAnswer created, Duration patience) {
        try {
            var object = created;
            for (int attempt = 0; attempt < ATTEMPTS && object.isSuccess(); attempt++) {
                var answer = api.patch(operation.path(), Patch.MERGE, withOwners(operation, object.body()), patience);
                if (answer.isSuccess()) {
                    return;
                }
                object = answer.status() == HttpURLConnection.HTTP_CONFLICT
                        ? api.get(operation.path(), patience)
                        : answer;
            }
            LOG.warnf(
                    "fields of %s %s are not its client's: HTTP status %d",
                    operation.type().kind(), operation.object(), object.status());
        } catch (IOException e) {
            LOG.debug("no answer to the change of owners", e);
        }
    }

    /** So that what others' webhooks made of it is not taken for what somebody has written since. Tried once. */
    private void markChangedMetadata(ObjectOperation operation, ApiAnswer created, Duration patience) {
        ReplacedMark.withMetadata(operation.newObject(), created.body()).ifPresent(mark -> {
            try {
                var answer = api.patch(operation.path(), Patch.JSON, withMark(created.body(), mark), patience);
                if (!answer.isSuccess()) {
                    LOG.debugf("the new object is not marked: HTTP status %d", answer.status());
                }
            } catch (IOException e) {
                LOG.debug("no answer to the mark of a new object", e);
            }
        });
    }

    /** Nothing is done where the object has another mark, or is another one, by now. */
    private static ArrayNode withMark(JsonNode created, String mark) {
        var at = OurMetadata.annotation(OurMetadata.REPLACED);
        var uid = PatchBuilder.at("metadata", "uid");
        var patch = JsonNodeFactory.instance.arrayNode();
        patch.addObject().put("op", "test").put("path", uid.toString()).set("value", created.at(uid));
        patch.addObject().put("op", "test").put("path", at.toString()).set("value", created.at(at));
        patch.addObject().put("op", "replace").put("path", at.toString()).put("value", mark);
        return patch;
    }

    /** The client's in place of ours; those of everybody else stay. A conflict where the object has another version. */
    private static ObjectNode withOwners(ObjectOperation operation, JsonNode object) {
        var patch = JsonNodeFactory.instance.objectNode();
        var owners = patch.putObject("metadata")
                .put("uid", ObjectMeta.uid(object))
                .put("resourceVersion", ObjectMeta.resourceVersion(object))
                .putArray("managedFields");
        operation.owners().forEach(owners::add);
        for (var entry : object.path("metadata").path("managedFields")) {
            var isOurs = entry.path("manager").asText().equals(operation.fieldManager())
                    && entry.path("subresource").asText().isEmpty();
            if (!isOurs) {
                owners.add(entry);
            }
        }
        return patch;
    }
}
