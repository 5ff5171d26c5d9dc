package dev.gitopsinterlock.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The metadata of an object, whatever its kind. A text that is not there is empty, a map that is not there a missing node. */
public final class ObjectMeta {

    private ObjectMeta() {}

    public static String name(JsonNode object) {
        return text(object, "name");
    }

    public static String namespace(JsonNode object) {
        return text(object, "namespace");
    }

    public static String uid(JsonNode object) {
        return text(object, "uid");
    }

    public static String resourceVersion(JsonNode object) {
        return text(object, "resourceVersion");
    }

    private static String text(JsonNode object, String field) {
        return object.path("metadata").path(field).asText();
    }

    public static JsonNode labels(JsonNode object) {
        return object.path("metadata").path("labels");
    }

    public static String label(JsonNode object, String key) {
        return labels(object).path(key).asText();
    }

    public static JsonNode annotations(JsonNode object) {
        return object.path("metadata").path("annotations");
    }

    public static String annotation(JsonNode object, String key) {
        return annotations(object).path(key).asText();
    }

    /** Of a map such as labels or annotations; none where there is no map. */
    public static Map<String, String> texts(JsonNode map) {
        var texts = new HashMap<String, String>();
        map.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    /** The owner that controls the object: the entry of ownerReferences. */
    public static Optional<JsonNode> controller(JsonNode object) {
        return object.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .filter(owner -> owner.path("controller").asBoolean())
                .findFirst();
    }

    /** Whether it was deleted and finalizers keep it. */
    public static boolean isTerminating(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }
}
