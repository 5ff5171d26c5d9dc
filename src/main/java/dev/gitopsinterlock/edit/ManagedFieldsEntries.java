package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.tool.FieldManager;
import java.util.Optional;
import java.util.function.Predicate;

/** Takes our own traces out of {@code metadata.managedFields}. */
public final class ManagedFieldsEntries {

    private static final String METADATA = "f:metadata";
    private static final String ANNOTATIONS = "f:annotations";
    private static final String OURS = "f:" + OurMetadata.REPLACED;

    private ManagedFieldsEntries() {}

    /**
     * The entries without our annotation, and without our own entry if somebody else applies the object.
     *
     * @return nothing if there is nothing of ours
     */
    static Optional<ArrayNode> withoutOurs(JsonNode managedFields, boolean applied) {
        var entries = JsonNodeFactory.instance.arrayNode();
        for (var entry : managedFields) {
            var left = withoutOurAnnotation(entry);
            if (!isOurs(entry) || (!applied && !left.path("fieldsV1").isEmpty())) {
                entries.add(left);
            }
        }
        return managedFields.equals(entries) || entries.isEmpty() ? Optional.empty() : Optional.of(entries);
    }

    /** What the manager applies by the server, and nothing else. */
    static ArrayNode applied(JsonNode managedFields, String manager) {
        return entries(applied(managedFields), entry -> isOf(manager, entry));
    }

    /** What anybody applies by the server, and nothing else. */
    public static ArrayNode applied(JsonNode managedFields) {
        return entries(
                managedFields,
                entry -> isApplied(entry) && entry.path("subresource").asText().isEmpty());
    }

    private static ArrayNode entries(JsonNode managedFields, Predicate<JsonNode> which) {
        var entries = JsonNodeFactory.instance.arrayNode();
        managedFields.valueStream().filter(which).forEach(entries::add);
        return entries;
    }

    private static boolean isApplied(JsonNode entry) {
        return entry.path("operation").asText().equals("Apply");
    }

    private static boolean isOf(String manager, JsonNode entry) {
        return entry.path("manager").asText().equals(manager);
    }

    /** The fields of the metadata that the manager applies by the server; empty where it does not. */
    static JsonNode appliedMetadata(JsonNode managedFields, String manager) {
        return applied(managedFields, manager).path(0).path("fieldsV1").path(METADATA);
    }

    private static boolean isOurs(JsonNode entry) {
        return isOf(FieldManager.OWN, entry)
                && entry.path("subresource").asText().isEmpty();
    }

    private static JsonNode withoutOurAnnotation(JsonNode entry) {
        if (!entry.path("fieldsV1").path(METADATA).path(ANNOTATIONS).has(OURS)) {
            return entry;
        }
        ObjectNode copy = entry.deepCopy();
        var fields = copy.withObject("/fieldsV1");
        var metadata = (ObjectNode) fields.path(METADATA);
        var annotations = (ObjectNode) metadata.path(ANNOTATIONS);
        annotations.remove(OURS);
        // what is left stands for the map itself: a creator without annotations has none
        if (annotations.size() == (annotations.has(".") ? 1 : 0)) {
            metadata.remove(ANNOTATIONS);
        }
        if (metadata.isEmpty()) {
            fields.remove(METADATA);
        }
        return copy;
    }
}
