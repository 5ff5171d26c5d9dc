package dev.gitopsinterlock.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;

/** Namespace, empty where it is in none, and name of an object; names are not secrets and may appear in every output. */
public record ObjectName(String namespace, String name) {

    /** Of the object, by what its metadata say. */
    public static ObjectName of(JsonNode object) {
        return new ObjectName(ObjectMeta.namespace(object), ObjectMeta.name(object));
    }

    /** {@code namespace/name}, or the name alone, as people write it. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
