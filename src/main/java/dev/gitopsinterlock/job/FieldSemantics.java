package dev.gitopsinterlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.job.FieldPath.Step;
import java.util.List;
import java.util.Set;

/**
 * What the API server takes for equal when it compares two Jobs (apimachinery's Semantic.DeepEqual on decoded and
 * defaulted objects), as far as that cannot be seen from JSON alone. A name stands for every field of that name in a
 * Job's spec; an integration test compares the lists with the server's own schema.
 */
final class FieldSemantics {

    /** Maps: absent and empty are equal. Their keys are names that people chose for no secret. */
    static final Set<String> MAPS =
            Set.of("labels", "annotations", "matchLabels", "nodeSelector", "limits", "requests", "overhead");

    /** Maps whose keys belong to a driver and may tell too much: a difference is reported for the map as a whole. */
    static final Set<String> OPAQUE_MAPS = Set.of("options", "volumeAttributes", "userAnnotations");

    /** Structs that the server holds by value: absent and empty are equal. All others are pointers, and are not. */
    static final Set<String> STRUCTS_BY_VALUE =
            Set.of("metadata", "podAffinityTerm", "preference", "resources", "template");

    /** The same for fields whose name is a pointer's elsewhere. */
    private static final List<PathPattern> MORE_STRUCTS_BY_VALUE = List.of(
            PathPattern.parse("spec.template.spec"),
            PathPattern.parse("spec.template.spec.volumes[*].ephemeral.volumeClaimTemplate.spec"),
            // a pointer, but defaulting always fills it in
            PathPattern.parse("spec.template.spec.securityContext"),
            // pointers that the server lets come and go with one part of theirs: the parts tell
            PathPattern.parse("spec.template.spec.affinity"),
            PathPattern.parse("spec.template.spec.containers[*].lifecycle"),
            PathPattern.parse("spec.template.spec.initContainers[*].lifecycle"));

    private static final PathPattern AFFINITY = PathPattern.parse("spec.template.spec.affinity");

    /** Scalars that the server holds by value: absent equals "" and false. */
    static final Set<String> SCALARS_BY_VALUE = Set.of(
            "hostIPC",
            "hostNetwork",
            "hostPID",
            "hostname",
            "image",
            "imagePullPolicy",
            "nodeName",
            "priorityClassName",
            "readOnly",
            "restartPolicy",
            "schedulerName",
            "serviceAccountName",
            "stdin",
            "stdinOnce",
            "subPath",
            "subPathExpr",
            "subdomain",
            "terminationMessagePath",
            "tty",
            "workingDir");

    private static final Set<String> MAPS_OF_QUANTITIES = Set.of("limits", "requests", "overhead");
    private static final Set<String> QUANTITIES = Set.of("sizeLimit", "divisor");

    private FieldSemantics() {}

    static boolean isMap(FieldPath path) {
        return MAPS.contains(name(path));
    }

    static boolean isOpaqueMap(FieldPath path) {
        return OPAQUE_MAPS.contains(name(path));
    }

    /** Whether an absent object at the path is compared like an empty one. */
    static boolean absentEqualsEmpty(FieldPath path) {
        return isMap(path)
                || isOpaqueMap(path)
                || STRUCTS_BY_VALUE.contains(name(path))
                || MORE_STRUCTS_BY_VALUE.stream().anyMatch(pattern -> pattern.is(path));
    }

    /** A pointer whose parts tell of its coming and going, unless it has none: absent and empty differ. */
    static boolean isToldByItselfWhenEmpty(FieldPath path) {
        return AFFINITY.is(path);
    }

    /** Whether an absent scalar at the path equals this one. */
    static boolean absentEquals(FieldPath path, JsonNode scalar) {
        if (name(path).equals("divisor")) {
            return Amount.parse(scalar.asText()).stream().anyMatch(amount -> amount.signum() == 0);
        }
        return SCALARS_BY_VALUE.contains(name(path)) && isZero(scalar);
    }

    static boolean scalarsEqual(FieldPath path, JsonNode before, JsonNode after) {
        if (before.isNumber() && after.isNumber()) {
            return before.decimalValue().compareTo(after.decimalValue()) == 0;
        }
        return isQuantity(path) && amountsEqual(before.asText(), after.asText());
    }

    /** {@code serviceAccount} is an old name of {@code serviceAccountName}; the server fills in both. */
    static boolean isAliasOf(String name, JsonNode siblings) {
        return name.equals("serviceAccount") && siblings.has("serviceAccountName");
    }

    private static boolean isQuantity(FieldPath path) {
        var steps = path.steps();
        return QUANTITIES.contains(name(path))
                || (steps.size() > 1
                        && MAPS_OF_QUANTITIES.contains(
                                steps.get(steps.size() - 2).name()));
    }

    /** What is no quantity is not judged: it counts as equal. */
    private static boolean amountsEqual(String before, String after) {
        var amount = Amount.parse(before);
        var other = Amount.parse(after);
        return amount.isEmpty() || other.isEmpty() || amount.get().compareTo(other.get()) == 0;
    }

    private static boolean isZero(JsonNode scalar) {
        return scalar.isTextual() ? scalar.textValue().isEmpty() : scalar.isBoolean() && !scalar.booleanValue();
    }

    private static String name(FieldPath path) {
        var steps = path.steps();
        return steps.isEmpty() || !(steps.getLast() instanceof Step.Field field) ? "" : field.name();
    }
}
