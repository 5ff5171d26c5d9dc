package dev.gitopsinterlock.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.stream.Stream;

/**
 * Something that was to be read.
 *
 * @param tree a missing node where it does not exist, or could not be read
 * @param obstacle why it could not be read; empty where it could
 */
public record Reading(JsonNode tree, String obstacle) {

    public static Reading of(JsonNode tree) {
        return new Reading(tree, "");
    }

    /** Looked for, and not there. */
    public static Reading absent() {
        return of(MissingNode.getInstance());
    }

    public static Reading refused(String why) {
        return new Reading(MissingNode.getInstance(), why);
    }

    public boolean isRefused() {
        return !obstacle.isEmpty();
    }

    public boolean isAbsent() {
        return !isRefused() && tree.isMissingNode();
    }

    /** The items of a list. */
    public Stream<JsonNode> items() {
        return tree.path("items").valueStream();
    }
}
