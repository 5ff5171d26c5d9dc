package dev.gitopsinterlock.job.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.job.GeneratedFields;

/**
 * The Job that an API server stores for a manifest: with the defaults of every field, and with the selector and labels
 * that it generates. Source: the defaulting of batch/v1 and core/v1, and the Job's strategy, of Kubernetes 1.34 to 1.37;
 * an integration test compares it with the real API server.
 */
public final class StoredJob {

    private StoredJob() {}

    /**
     * Fills in. Never fails for an object, whatever is in it: what is of another type than it has to be is left as it
     * is. The manifest is not changed. Filling in again changes nothing.
     *
     * @param uid of the Job, which its selector has
     */
    public static ObjectNode of(JsonNode manifest, String uid) {
        if (!(manifest instanceof ObjectNode object)) {
            throw new IllegalArgumentException("a manifest is an object, not a " + manifest.getNodeType());
        }
        var job = object.deepCopy();
        removeNulls(job);
        OmittedZeros.remove(job);
        JobDefaults.fillIn(job);
        GeneratedFields.generate(job, uid);
        return job;
    }

    /** JSON's null says the same as nothing at all. */
    private static void removeNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        if (node instanceof ObjectNode || node instanceof ArrayNode) {
            node.forEach(StoredJob::removeNulls);
        }
    }
}
