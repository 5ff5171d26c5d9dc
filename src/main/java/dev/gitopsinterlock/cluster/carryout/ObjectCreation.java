package dev.gitopsinterlock.cluster.carryout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.carryout.Effect.ObjectOperation;
import dev.gitopsinterlock.carryout.ReplacedMark;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.HttpURLConnection;
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
        var answer = api.create(operation, identity, false, patience);
        if (answer.isSuccess()) {
            created(operation, answer, patience);
        }
        return answer;
    }

    /** For one that is there, too, although the answer to its creation was lost. */
    void created(ObjectOperation operation, ApiAnswer created, Duration patience) {
        if (operation.owners().isArray() && !operation.owners().isEmpty()) {
            giveToOwners(operation, created, patience);
        } else {
            tellOfOthers(operation, created, patience);
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
    private void giveToOwners(ObjectOperation operation, ApiAnswer created, Duration patience) {
        try {
            var object = created;
            for (int attempt = 0; attempt < ATTEMPTS && object.isSuccess(); attempt++) {
                var answer = api.setOwners(operation, metadata(object), ownersOf(operation, object), patience);
                if (answer.isSuccess()) {
                    return;
                }
                object = answer.status() == HttpURLConnection.HTTP_CONFLICT ? api.get(operation, patience) : answer;
            }
            LOG.warnf(
                    "fields of %s %s are not its client's: HTTP status %d",
                    operation.type().kind(), operation.object(), object.status());
        } catch (IOException e) {
            LOG.debug("no answer to the change of owners", e);
        }
    }

    /** So that what others' webhooks made of it is not taken for what somebody has written since. Tried once. */
    private void tellOfOthers(ObjectOperation operation, ApiAnswer created, Duration patience) {
        ReplacedMark.withMetadata(operation.newObject(), created.body()).ifPresent(mark -> {
            try {
                var answer = api.setReplaced(operation, created.body(), mark, patience);
                if (!answer.isSuccess()) {
                    LOG.debugf("the new object is not marked: HTTP status %d", answer.status());
                }
            } catch (IOException e) {
                LOG.debug("no answer to the mark of a new object", e);
            }
        });
    }

    private static JsonNode metadata(ApiAnswer object) {
        return object.body().path("metadata");
    }

    /** The client's in place of ours; those of everybody else stay. */
    private static ArrayNode ownersOf(ObjectOperation operation, ApiAnswer object) {
        var owners = JsonNodeFactory.instance.arrayNode();
        operation.owners().forEach(owners::add);
        for (var entry : metadata(object).path("managedFields")) {
            var isOurs = entry.path("manager").asText().equals(operation.fieldManager())
                    && entry.path("subresource").asText().isEmpty();
            if (!isOurs) {
                owners.add(entry);
            }
        }
        return owners;
    }
}
