package dev.gitopsinterlock.effect;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * How far a StatefulSet's controller has come, by its status; empty for what has no such status.
 *
 * @param observed the generation of the spec that the status is of; 0 where there is none
 * @param current the revision from which the Pods come
 * @param update the revision to which they go
 * @param pods how many there are
 * @param updated how many of them are of the update revision
 */
public record RolloutState(long observed, String current, String update, int pods, int updated) {

    public static RolloutState of(JsonNode object) {
        var status = object.path("status");
        return new RolloutState(
                status.path("observedGeneration").asLong(),
                status.path("currentRevision").asText(),
                status.path("updateRevision").asText(),
                status.path("replicas").asInt(),
                status.path("updatedReplicas").asInt());
    }

    /**
     * Whether all Pods are of one revision. Under {@code OnDelete} the current one does not follow before Kubernetes
     * 1.37, so what counts is how many Pods are updated.
     */
    public boolean isSettled() {
        return current.equals(update) || pods == updated;
    }
}
