package dev.gitopsinterlock.kinds;

import static dev.gitopsinterlock.admission.SchemaCheck.part;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.SchemaCheck;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.GuardedKind.Phrase;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.immutability.FieldSemantics;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.FieldTable.Row;
import dev.gitopsinterlock.immutability.PathPattern;
import dev.gitopsinterlock.immutability.StoredForm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** How a kind beside Job is written down: its table, what counts as equal, and what the server says. */
final class KindTables {

    private static final SchemaCheck FORM = new SchemaCheck(
            List.of(part("/metadata", JsonNode::isObject), part("/metadata/name", SchemaCheck::isName)),
            List.of(
                    part("/metadata/annotations", SchemaCheck::isMapOfText),
                    part("/metadata/labels", SchemaCheck::isMapOfText),
                    part("/metadata/ownerReferences", JsonNode::isArray),
                    part("/metadata/managedFields", JsonNode::isArray),
                    part("/spec", JsonNode::isObject),
                    part("/spec/volumeClaimTemplates", JsonNode::isArray),
                    part("/status", JsonNode::isObject)));

    private KindTables() {}

    static GuardedKind kind(
            ResourceType type,
            boolean namespaced,
            FieldTable<Fixed> table,
            FieldSemantics semantics,
            GuardedKind.Advice advice,
            List<Phrase> phrases,
            WrittenForm written) {
        return new GuardedKind(
                type,
                namespaced,
                FORM,
                table,
                (before, after) -> difference ->
                        table.mutability(difference, row -> row.exemption().of(difference, before)),
                semantics,
                ForcedUpgrade.before(advice),
                phrases,
                GuardedKind.Repair.NONE,
                GuardedKind.ServerDrops.NONE,
                false,
                Optional.empty(),
                new TableManifests(
                        table,
                        new StoredForm(
                                table.fields().stream()
                                        .map(field -> field.names().getFirst())
                                        .distinct()
                                        .toList(),
                                semantics,
                                written.values()),
                        written));
    }

    static FieldTable<Fixed> table(List<Row<Fixed>> fields, List<Row<Fixed>> exceptions) {
        return new FieldTable<>(fields, exceptions);
    }

    static List<Phrase> said(String words, String... fields) {
        return saidBefore(Integer.MAX_VALUE, words, fields);
    }

    /** Until there was a version that says what is usual. */
    static List<Phrase> saidBefore(int minor, String words, String... fields) {
        return Stream.of(fields)
                .map(field -> new Phrase(PathPattern.parse(field), words.formatted(field), minor))
                .toList();
    }

    static List<Row<Fixed>> fixed(Fixed when, String... fields) {
        return Stream.of(fields)
                .map(field -> new Row<>(PathPattern.parse(field), when))
                .toList();
    }

    static FieldSemantics semantics(List<String> structsByValue, List<String> scalarsByValue) {
        return new FieldSemantics(
                Set.of(
                        "labels",
                        "annotations",
                        "matchLabels",
                        "parameters",
                        "requests",
                        "limits",
                        "capacity",
                        "allocatedResources",
                        "allocatedResourceStatuses"),
                Set.of("volumeAttributes", "options"),
                patterns(structsByValue),
                List.of(),
                patterns(scalarsByValue),
                Set.of("requests", "limits", "capacity", "allocatedResources"),
                Set.of(),
                Map.of());
    }

    static List<PathPattern> patterns(List<String> paths) {
        return paths.stream().map(PathPattern::parse).toList();
    }

    static GuardedKind.Advice always(String code) {
        return (change, refused) -> new GuidanceCode(code);
    }
}
