package dev.gitopsinterlock.patch;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Optional;

/**
 * The operations of a JSON Patch (RFC 6902), in their order.
 *
 * @param operations to be applied to the object that they were made for, and to no other
 */
public record JsonPatch(List<Operation> operations) {

    public static final JsonPatch NONE = new JsonPatch(List.of());

    public JsonPatch {
        operations = List.copyOf(operations);
    }

    public boolean isEmpty() {
        return operations.isEmpty();
    }

    /** The patch as it goes over the wire. */
    public ArrayNode tree() {
        var tree = JsonNodeFactory.instance.arrayNode();
        for (var operation : operations) {
            var node = tree.addObject()
                    .put("op", operation.value().isPresent() ? "add" : "remove")
                    .put("path", operation.at().toString());
            operation.value().ifPresent(value -> node.set("value", value));
        }
        return tree;
    }

    /**
     * One place with its new value, or without one where it is taken away. An "add" where there is a member already
     * replaces it.
     */
    public record Operation(JsonPointer at, Optional<JsonNode> value) {}
}
