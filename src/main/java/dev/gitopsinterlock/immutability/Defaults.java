package dev.gitopsinterlock.immutability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Fields that the API server fills in with always the same value wherever the object around them is, as a table. Filling in
 * again changes nothing.
 *
 * @param rows in the order in which they are filled in
 */
public record Defaults(List<Row> rows) {

    /** Nothing is filled in. */
    public static final Defaults NONE = new Defaults(List.of());

    /**
     * One field.
     *
     * @param around names of the fields down to the object that has it; {@code *} is every item of a list
     * @param evenZero whether a value that means nothing, no text, no item or zero, counts as not written
     */
    public record Row(List<String> around, String field, JsonNode value, boolean evenZero) {}

    public Defaults {
        rows = List.copyOf(rows);
    }

    /** A table of these. */
    public static Defaults of(Stream<Row> rows) {
        return new Defaults(rows.toList());
    }

    /** Filled in where the field is absent; the path has a dot between two names. */
    public static Row absent(String path, JsonNode value) {
        return row(path, value, false);
    }

    /** The same, or where its value means nothing. */
    public static Row zero(String path, JsonNode value) {
        return row(path, value, true);
    }

    private static Row row(String path, JsonNode value, boolean evenZero) {
        var names = List.of(path.split("\\.", -1));
        return new Row(names.subList(0, names.size() - 1), names.getLast(), value, evenZero);
    }

    /** Fills them in. */
    public void fillIn(ObjectNode object) {
        for (var row : rows) {
            for (var around : objects(object, row.around())) {
                fillIn(around, row.field(), row.value(), row.evenZero());
            }
        }
    }

    /** Fills in one field of one object; the parameters as in {@link Row}. */
    public static void fillIn(ObjectNode object, String field, JsonNode value, boolean evenZero) {
        var present = object.path(field);
        if (present.isMissingNode()
                || present.isNull()
                || (evenZero && (OmittedZeros.isZero(present) || (present.isArray() && present.isEmpty())))) {
            object.set(field, value.deepCopy());
        }
    }

    /** The objects at the end of these names, those that are there; {@code *} is every item of a list. */
    public static List<ObjectNode> objects(JsonNode root, List<String> names) {
        var found = List.of(root);
        for (var name : names) {
            var next = new ArrayList<JsonNode>();
            for (var node : found) {
                if (!name.equals("*")) {
                    next.add(node.path(name));
                } else if (node.isArray()) {
                    node.forEach(next::add);
                }
            }
            found = next;
        }
        return found.stream()
                .filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast)
                .toList();
    }
}
