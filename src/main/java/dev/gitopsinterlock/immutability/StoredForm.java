package dev.gitopsinterlock.immutability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What an API server stores for a manifest of a kind, as far as a table tells: without what says nothing, and with defaults.
 *
 * @param fields of the object that it is about, such as {@code spec}
 * @param semantics of the kind
 * @param defaults of those fields
 */
public record StoredForm(List<String> fields, FieldSemantics semantics, Defaults defaults) {

    public StoredForm {
        fields = List.copyOf(fields);
    }

    /**
     * Fills in. Never fails for an object, whatever is in it: what is of another type than it has to be is left as it
     * is. The manifest is not changed. Filling in again changes nothing.
     */
    public ObjectNode of(JsonNode manifest) {
        if (!(manifest instanceof ObjectNode object)) {
            throw new IllegalArgumentException("a manifest is an object, not a " + manifest.getNodeType());
        }
        var stored = object.deepCopy();
        removeNulls(stored);
        fields.forEach(field -> OmittedZeros.remove(stored, field, semantics));
        defaults.fillIn(stored);
        return stored;
    }

    /** JSON's null says the same as nothing at all. */
    private static void removeNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        if (node instanceof ObjectNode || node instanceof ArrayNode) {
            node.forEach(StoredForm::removeNulls);
        }
    }
}
