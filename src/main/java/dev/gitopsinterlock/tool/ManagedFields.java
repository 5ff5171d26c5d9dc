package dev.gitopsinterlock.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.tool.FieldManager.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads who wrote a change out of {@code metadata.managedFields}. The API server updates them before mutating
 * admission, so the manager's entry is the one that is new or differs. The order of the entries says nothing.
 */
public final class ManagedFields {

    private ManagedFields() {}

    /**
     * Tells the manager, {@link FieldManager#UNKNOWN} where nothing does.
     *
     * @param oldObject the object before the change; a missing node on CREATE
     * @param newObject the object after it
     * @param fieldManager the request's {@code options.fieldManager}; empty where the client sent none
     */
    public static FieldManager manager(JsonNode oldObject, JsonNode newObject, String fieldManager) {
        if (fieldManager.isEmpty()) {
            return changed(oldObject, entries(newObject))
                    .map(entry -> new FieldManager(manager(entry), method(entry)))
                    .orElse(FieldManager.UNKNOWN);
        }
        var entries = entries(newObject);
        entries.removeIf(entry -> !manager(entry).equals(fieldManager));
        return new FieldManager(
                fieldManager,
                onlyMethod(entries)
                        .or(() -> changed(oldObject, entries).map(ManagedFields::method))
                        .orElse(Method.UNKNOWN));
    }

    /** Compares the whole trees of fields, which can be most of a review. */
    private static Optional<JsonNode> changed(JsonNode oldObject, List<JsonNode> entries) {
        var before = entries(oldObject);
        return entries.stream().filter(entry -> !before.contains(entry)).findFirst();
    }

    /**
     * Whoever writes has an entry of that method; where there is only one, it is this one. Also for a second write within a
     * second: times are whole seconds, so the entry of who changes only values stays as it was.
     */
    private static Optional<Method> onlyMethod(List<JsonNode> entriesOfOne) {
        var methods =
                entriesOfOne.stream().map(ManagedFields::method).distinct().toList();
        return methods.size() == 1 ? Optional.of(methods.getFirst()) : Optional.empty();
    }

    private static List<JsonNode> entries(JsonNode object) {
        var entries = new ArrayList<JsonNode>();
        for (var entry : object.path("metadata").path("managedFields")) {
            if (entry.path("subresource").asText().isEmpty()) {
                entries.add(entry);
            }
        }
        return entries;
    }

    private static String manager(JsonNode entry) {
        return entry.path("manager").asText();
    }

    private static Method method(JsonNode entry) {
        return switch (entry.path("operation").asText()) {
            case "Apply" -> Method.APPLY;
            case "Update" -> Method.UPDATE;
            default -> Method.UNKNOWN;
        };
    }
}
