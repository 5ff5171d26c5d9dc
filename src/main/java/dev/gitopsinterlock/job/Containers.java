package dev.gitopsinterlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;

/** The lists of containers that a Job's Pod template may have. */
public final class Containers {

    /** Their names in the Pod's spec; a template has no ephemeral ones. */
    public static final List<String> LISTS = List.of("containers", "initContainers");

    private Containers() {}

    /** The one of that name in a list; a missing node where there is none. */
    public static JsonNode named(JsonNode list, String name) {
        for (var container : list) {
            if (container.path("name").asText().equals(name)) {
                return container;
            }
        }
        return MissingNode.getInstance();
    }
}
