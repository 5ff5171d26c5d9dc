package dev.gitopsinterlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.job.FieldPath.Step;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the API server takes for equal when it compares two Jobs (apimachinery's Semantic.DeepEqual on decoded and
 * defaulted objects), as far as that cannot be seen from JSON alone. Of maps a name stands for every field of that name in a
 * Job's spec. Structs and scalars go by path, because a name is a pointer's here and a value's there. An integration test
 * compares the lists with the server's own schema and answers.
 */
final class FieldSemantics {

    /** Maps: absent and empty are equal. Their keys are names that people chose for no secret. */
    static final Set<String> MAPS =
            Set.of("labels", "annotations", "matchLabels", "nodeSelector", "limits", "requests", "overhead");

    /** Maps whose keys belong to a driver and may tell too much: a difference is reported for the map as a whole. */
    static final Set<String> OPAQUE_MAPS = Set.of("options", "volumeAttributes", "userAnnotations");

    private static final String POD = "spec.template.spec.";
    private static final String CLAIM = POD + "volumes[*].ephemeral.volumeClaimTemplate.";
    private static final String PREFERRED = ".preferredDuringSchedulingIgnoredDuringExecution[*].";

    /** Structs that the server holds by value: absent and empty are equal. All others are pointers, and are not. */
    private static final List<PathPattern> STRUCTS_BY_VALUE = Stream.of(
                    Stream.of(
                            "spec.template",
                            "spec.template.metadata",
                            "spec.template.spec",
                            CLAIM + "metadata",
                            CLAIM + "spec",
                            CLAIM + "spec.resources",
                            POD + "affinity.nodeAffinity" + PREFERRED + "preference",
                            POD + "affinity.podAffinity" + PREFERRED + "podAffinityTerm",
                            POD + "affinity.podAntiAffinity" + PREFERRED + "podAffinityTerm"),
                    ofContainers("resources"),
                    Stream.of(POD + "ephemeralContainers[*].resources"),
                    // a pointer, but defaulting always fills it in
                    Stream.of(POD + "securityContext"))
            .flatMap(paths -> paths)
            .map(PathPattern::parse)
            .toList();

    /** Pointers that the server lets come and go with one part of theirs: the parts tell, if there are any. */
    private static final List<PathPattern> TOLD_BY_THEIR_PARTS = Stream.concat(
                    Stream.of(POD + "affinity"), ofContainers("lifecycle"))
            .map(PathPattern::parse)
            .toList();

    /** Scalars that the server holds by value, of those that people set: absent equals "" and false. */
    private static final List<PathPattern> SCALARS_BY_VALUE = Stream.concat(
                    Stream.of(
                                    "hostIPC",
                                    "hostNetwork",
                                    "hostPID",
                                    "hostname",
                                    "nodeName",
                                    "priorityClassName",
                                    "schedulerName",
                                    "serviceAccountName",
                                    "subdomain")
                            .map(name -> POD + name),
                    ofContainers(
                            "imagePullPolicy",
                            "stdin",
                            "stdinOnce",
                            "terminationMessagePath",
                            "tty",
                            "volumeMounts[*].readOnly",
                            "volumeMounts[*].subPath",
                            "volumeMounts[*].subPathExpr",
                            "workingDir"))
            .map(PathPattern::parse)
            .toList();

    private static final Set<String> MAPS_OF_QUANTITIES = Set.of("limits", "requests", "overhead");
    private static final Set<String> QUANTITIES = Set.of("sizeLimit", "divisor");

    private FieldSemantics() {}

    static boolean isMap(FieldPath path) {
        return MAPS.contains(name(path));
    }

    static boolean isOpaqueMap(FieldPath path) {
        return OPAQUE_MAPS.contains(name(path));
    }

    private static Stream<String> ofContainers(String... fields) {
        return Containers.LISTS.stream().flatMap(list -> Stream.of(fields).map(field -> POD + list + "[*]." + field));
    }

    /** Whether an absent object at the path is compared like an empty one, part by part. */
    static boolean absentEqualsEmpty(FieldPath path) {
        return isMap(path) || isOpaqueMap(path) || isOneOf(STRUCTS_BY_VALUE, path) || isToldByItselfWhenEmpty(path);
    }

    /** A pointer whose parts tell of its coming and going, unless it has none: absent and empty differ. */
    static boolean isToldByItselfWhenEmpty(FieldPath path) {
        return isOneOf(TOLD_BY_THEIR_PARTS, path);
    }

    /** Whether an absent scalar at the path equals this one. */
    static boolean absentEquals(FieldPath path, JsonNode scalar) {
        if (name(path).equals("divisor")) {
            return Quantity.parse(scalar.asText()).stream().anyMatch(amount -> amount.signum() == 0);
        }
        return isZero(scalar) && isOneOf(SCALARS_BY_VALUE, path);
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
        var amount = Quantity.parse(before);
        var other = Quantity.parse(after);
        return amount.isEmpty() || other.isEmpty() || amount.get().compareTo(other.get()) == 0;
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
