package dev.gitopsinterlock.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;

/**
 * One object of the cluster.
 *
 * @param namespace empty for an object that is in none
 */
public record ObjectReference(String apiVersion, String kind, String namespace, String name, String uid) {

    /** To an object of this type, by what its metadata say. */
    public static ObjectReference to(ResourceType type, JsonNode object) {
        return new ObjectReference(
                type.apiVersion(),
                type.kind(),
                ObjectMeta.namespace(object),
                ObjectMeta.name(object),
                ObjectMeta.uid(object));
    }
}
