package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What makes two manifests manifests of one object.
 *
 * @param group and version are not told apart: a version is only a way to write an object
 * @param kind of the object
 * @param namespace empty where the manifest leaves it to whoever applies it
 * @param name empty where it is generated
 */
public record ObjectId(String group, String kind, String namespace, String name) {

    /** The id of an object, whose parts may be missing. */
    public static ObjectId of(JsonNode object) {
        var version = object.path("apiVersion").asText();
        var slash = version.indexOf('/');
        var metadata = object.path("metadata");
        return new ObjectId(
                slash < 0 ? "" : version.substring(0, slash),
                object.path("kind").asText(),
                metadata.path("namespace").asText(),
                metadata.path("name").asText());
    }

    /** As people call it. */
    @Override
    public String toString() {
        return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
    }
}
