package dev.gitopsinterlock.kinds;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.FieldTable.Row;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.system.atlas.Condition;
import dev.gitopsinterlock.system.atlas.FieldOutcome;
import dev.gitopsinterlock.system.atlas.Place;
import dev.gitopsinterlock.system.atlas.TableRow;
import dev.gitopsinterlock.system.atlas.TableRow.Case;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The cases of the rows of {@link GuardedKinds}. */
public final class KindCases {

    private KindCases() {}

    /** All kinds beside Job have tables of these. */
    @SuppressWarnings("unchecked")
    private static FieldTable<Fixed> table(GuardedKind kind) {
        return (FieldTable<Fixed>) kind.table();
    }

    /** The table of a kind. */
    public static List<TableRow> rows(GuardedKind kind) {
        return table(kind).rows().stream()
                .map(row -> new TableRow(
                        row.fields().text(),
                        isGated(row.exemption()),
                        conditions(row.exemption()).stream()
                                .map(when -> new Case(when, outcomes(row.exemption(), when)))
                                .toList()))
                .toList();
    }

    /** Where the differences of two objects fall that the table covers; empty if the two cannot be compared. */
    public static Optional<Set<Place>> places(GuardedKind kind, JsonNode before, JsonNode after) {
        return kind.differences(before, after)
                .map(differences -> differences.stream()
                        .flatMap(difference ->
                                Place.deciding(table(kind), difference.path(), fixed -> fixed.of(difference, before))
                                        .map(row -> new Place(row.fields().text(), condition(row, difference, before)))
                                        .stream())
                        .collect(toUnmodifiableSet()));
    }

    private static boolean isGated(Fixed fixed) {
        return switch (fixed) {
            case NEVER, UNLESS_IMMUTABLE, ONCE, AS_THE_OTHER, WHILE_BOUND -> false;
            case LEFT_TO_THE_SERVER, ONCE_OR_BY_A_GATE, ONCE_PERHAPS, WHILE_BOUND_BY_A_GATE -> true;
        };
    }

    private static List<Condition> conditions(Fixed fixed) {
        return switch (fixed) {
            case NEVER, LEFT_TO_THE_SERVER, AS_THE_OTHER -> List.of(Condition.ALWAYS);
            case UNLESS_IMMUTABLE -> List.of(Condition.MARKED_IMMUTABLE, Condition.OTHERWISE);
            case ONCE, ONCE_OR_BY_A_GATE, ONCE_PERHAPS -> List.of(Condition.FIELD_ADDED, Condition.OTHERWISE);
            case WHILE_BOUND, WHILE_BOUND_BY_A_GATE -> List.of(Condition.CLAIM_BOUND, Condition.OTHERWISE);
        };
    }

    private static Condition condition(Row<Fixed> row, Difference difference, JsonNode before) {
        return conditions(row.exemption()).stream()
                .filter(condition -> holds(condition, row, difference, before))
                .findFirst()
                .orElseThrow();
    }

    private static boolean holds(Condition condition, Row<Fixed> row, Difference difference, JsonNode before) {
        return switch (condition) {
            case FIELD_ADDED ->
                difference.kind() == Difference.Kind.ADDED && row.fields().is(difference.path());
            case MARKED_IMMUTABLE -> before.path("immutable").asBoolean();
            case CLAIM_BOUND -> before.at("/status/phase").asText().equals("Bound");
            case ALWAYS, OTHERWISE -> true;
            default -> throw new IllegalArgumentException(condition.word());
        };
    }

    /** What the table says of an edit that is as the condition wants it; it knows no versions, and of a claim no values. */
    private static Map<String, FieldOutcome> outcomes(Fixed fixed, Condition when) {
        var difference = new Difference(
                FieldPath.ROOT, when == Condition.FIELD_ADDED ? Difference.Kind.ADDED : Difference.Kind.CHANGED);
        var before = JsonNodeFactory.instance.objectNode().put("immutable", when == Condition.MARKED_IMMUTABLE);
        before.putObject("status").put("phase", when == Condition.CLAIM_BOUND ? "Bound" : "Pending");
        var outcome =
                when == Condition.CLAIM_BOUND ? FieldOutcome.DEPENDS : FieldOutcome.of(fixed.of(difference, before));
        return Arrays.stream(KubernetesVersion.values())
                .collect(toMap(KubernetesVersion::label, version -> outcome, (one, other) -> one, TreeMap::new));
    }
}
