package dev.gitopsinterlock.immutability;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.immutability.FieldPath.Step;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the API server takes for equal when it compares two objects of one kind (apimachinery's Semantic.DeepEqual on
 * decoded and defaulted objects), as far as that cannot be seen from JSON alone. Maps and quantities go by name, which
 * stands for every field of that name; structs and scalars go by path, because a name is a pointer's here and a value's
 * there.
 *
 * @param maps absent and empty are equal; their keys are names that people chose for no secret
 * @param opaqueMaps maps whose keys may tell too much: a difference is reported for the map as a whole
 * @param structsByValue structs that the server holds by value: absent and empty are equal; all others are pointers
 * @param reportedThroughChildren pointers that the server lets come and go with one part of theirs: the parts are
 *     reported in their place, if there are any
 * @param scalarsByValue scalars that the server holds by value: absent equals "" and false
 * @param quantities compared by their amount: fields, and maps whose values are such
 * @param quantitiesByValue those of which absent equals zero
 * @param aliases old names of fields, and the ones that stand for them where both are there
 */
public record FieldSemantics(
        Set<String> maps,
        Set<String> opaqueMaps,
        List<PathPattern> structsByValue,
        List<PathPattern> reportedThroughChildren,
        List<PathPattern> scalarsByValue,
        Set<String> quantities,
        Set<String> quantitiesByValue,
        Map<String, String> aliases) {

    public FieldSemantics {
        maps = Set.copyOf(maps);
        opaqueMaps = Set.copyOf(opaqueMaps);
        structsByValue = List.copyOf(structsByValue);
        reportedThroughChildren = List.copyOf(reportedThroughChildren);
        scalarsByValue = List.copyOf(scalarsByValue);
        quantities = Set.copyOf(quantities);
        quantitiesByValue = Set.copyOf(quantitiesByValue);
        aliases = Map.copyOf(aliases);
    }

    public boolean isMap(FieldPath path) {
        return maps.contains(name(path));
    }

    public boolean isOpaqueMap(FieldPath path) {
        return opaqueMaps.contains(name(path));
    }

    /** Whether an absent object at the path is compared like an empty one, part by part. */
    public boolean absentEqualsEmpty(FieldPath path) {
        return isMap(path) || isOpaqueMap(path) || isOneOf(structsByValue, path) || isReportedThroughChildren(path);
    }

    /** Reported through its children; an empty object has none, so absent and {@code {}} are reported as they are. */
    public boolean isReportedThroughChildren(FieldPath path) {
        return isOneOf(reportedThroughChildren, path);
    }

    /** Whether an absent scalar at the path equals this one. */
    public boolean absentEquals(FieldPath path, JsonNode scalar) {
        if (quantitiesByValue.contains(name(path))) {
            return Quantity.parse(scalar.asText()).stream().anyMatch(quantity -> quantity.signum() == 0);
        }
        return isZero(scalar) && isOneOf(scalarsByValue, path);
    }

    boolean scalarsEqual(FieldPath path, JsonNode before, JsonNode after) {
        if (before.isNumber() && after.isNumber()) {
            return before.decimalValue().compareTo(after.decimalValue()) == 0;
        }
        return isQuantity(path) && quantitiesEqual(before.asText(), after.asText());
    }

    /** Whether a field says again what another one beside it says; the server fills in both. */
    boolean isAlias(String name, JsonNode siblings) {
        var current = aliases.get(name);
        return current != null && siblings.has(current);
    }

    private boolean isQuantity(FieldPath path) {
        var steps = path.steps();
        return quantities.contains(name(path))
                || quantitiesByValue.contains(name(path))
                || (steps.size() > 1
                        && quantities.contains(steps.get(steps.size() - 2).name()));
    }

    /** What is no quantity is not judged: it counts as equal. */
    private static boolean quantitiesEqual(String before, String after) {
        var quantity = Quantity.parse(before);
        var other = Quantity.parse(after);
        return quantity.isEmpty() || other.isEmpty() || quantity.get().compareTo(other.get()) == 0;
    }

    private static boolean isZero(JsonNode scalar) {
        return scalar.isTextual() ? scalar.textValue().isEmpty() : scalar.isBoolean() && !scalar.booleanValue();
    }

    private static boolean isOneOf(List<PathPattern> patterns, FieldPath path) {
        return patterns.stream().anyMatch(pattern -> pattern.is(path));
    }

    private static String name(FieldPath path) {
        var steps = path.steps();
        return steps.isEmpty() || !(steps.getLast() instanceof Step.Field field) ? "" : field.name();
    }
}
