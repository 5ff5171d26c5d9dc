package dev.gitopsinterlock.carryout;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * How far a StatefulSet's controller has come, by its status; empty for what has no such status.
 *
 * @param observed the generation of the spec that the status is of; 0 where there is none
 * @param current the revision from which the Pods come
 * @param update the revision to which they go
 * @param pods how many there are
 */
public record RolloutState(long observed, String current, String update, int pods) {

    public static RolloutState of(JsonNode object) {
        var status = object.path("status");
        return new RolloutState(
                status.path("observedGeneration").asLong(),
                status.path("currentRevision").asText(),
                status.path("updateRevision").asText(),
                status.path("replicas").asInt());
    }
}
