package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One object of a file.
 *
 * @param path of the file below the tree that was read, which pairs it with the same file of the other tree
 * @param object as it is written, with nothing filled in
 * @param text where its parts stand
 */
public record Manifest(String path, JsonNode object, ManifestText text) {

    public ObjectId id() {
        return ObjectId.of(object);
    }
}
