package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.RefusedFields;
import dev.gitopsinterlock.immutability.Comparison;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldSemantics;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.immutability.PathPattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A kind other than Job some of whose fields the API server does not change, as far as that is known for certain.
 *
 * @param group of its API; empty for the core's
 * @param version of its API
 * @param name of the kind: {@code StatefulSet}
 * @param plural as a resource: {@code statefulsets}
 * @param namespaced whether its objects are in a Namespace
 * @param table its fixed fields. Read widely: what is called refused is refused by every supported API server
 * @param semantics what the API server takes for equal in them
 * @param advice what helps, by the fields that are refused
 * @param phrases what the API server says of fields of which it says something else than is usual
 */
public record GuardedKind(
        String group,
        String version,
        String name,
        String plural,
        boolean namespaced,
        FieldTable<Fixed> table,
        FieldSemantics semantics,
        Advice advice,
        List<Phrase> phrases) {

    GuardedKind whoseServerSays(List<Phrase> said) {
        return new GuardedKind(group, version, name, plural, namespaced, table, semantics, advice, said);
    }

    /**
     * What the API server says of fields.
     *
     * @param fields and everything below them
     * @param before which minor version of Kubernetes
     */
    record Phrase(PathPattern fields, String words, int before) {}

    /** Chooses what is said. */
    @FunctionalInterface
    interface Advice {
        GuidanceCode of(List<FieldPath> refused, JsonNode before, JsonNode after);
    }

    /** As reviews name it: {@code apps/v1/StatefulSet}. */
    public String id() {
        return group + "/" + version + "/" + name;
    }

    ResourceType type() {
        return new ResourceType(group, version, name, plural);
    }

    /**
     * What the API server says when it refuses a change of the field. One whose version is not known counts as an old one: fewer
     * tools take its words as a reason to delete.
     */
    String phrase(FieldPath field, int minor) {
        return phrases.stream()
                .filter(phrase -> minor < phrase.before() && phrase.fields().covers(field))
                .map(Phrase::words)
                .findFirst()
                .orElse(RefusedFields.USUAL_PHRASE);
    }

    /** The name in commands: {@code statefulset}. */
    String singular() {
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * The fields that every supported API server refuses to change, in the order of the table; empty where the two
     * objects cannot be compared.
     */
    Optional<List<FieldPath>> refused(JsonNode before, JsonNode after) {
        return differences(before, after)
                .map(differences -> differences.stream()
                        .filter(difference -> mutability(difference, before) == Mutability.REFUSED)
                        .sorted(table.inApiOrder())
                        .map(Difference::path)
                        .distinct()
                        .toList());
    }

    /** Those in the fields of the table; empty where the two objects cannot be compared. */
    Optional<List<Difference>> differences(JsonNode before, JsonNode after) {
        var differences = new ArrayList<Difference>();
        for (var field : table.fields()) {
            var names = field.names();
            var found = Comparison.between(semantics, path(names), at(before, names), at(after, names));
            if (found.isEmpty()) {
                return Optional.empty();
            }
            differences.addAll(found.get());
        }
        return Optional.of(List.copyOf(differences));
    }

    private Mutability mutability(Difference difference, JsonNode before) {
        return table.exemptions(difference.path()).stream()
                .map(fixed -> fixed.of(difference, before))
                .min(Comparator.naturalOrder())
                .orElse(Mutability.ACCEPTED);
    }

    private static FieldPath path(List<String> field) {
        var path = FieldPath.ROOT;
        for (var name : field) {
            path = path.field(name);
        }
        return path;
    }

    private static JsonNode at(JsonNode object, List<String> field) {
        var node = object;
        for (var name : field) {
            node = node.path(name);
        }
        return node;
    }
}
