package dev.gitopsinterlock.job;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.immutability.Comparison;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldTable.Row;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.job.ImmutableJobFields.MutableWhen;
import dev.gitopsinterlock.job.ImmutableJobFields.When;
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

/** The cases of the rows of {@link ImmutableJobFields}. */
public final class JobCases {

    private static final FieldPath SPEC = FieldPath.ROOT.field("spec");

    private JobCases() {}

    /** The table of a Job. */
    public static List<TableRow> rows() {
        return ImmutableJobFields.TABLE.rows().stream()
                .map(row -> new TableRow(
                        row.fields().text(),
                        isGated(row.exemption().when()),
                        conditions(row.exemption().when()).stream()
                                .map(when -> new Case(when, outcomes(row, when)))
                                .toList()))
                .toList();
    }

    /**
     * Where the differences of two Jobs' specs fall that the table covers; empty if the two cannot be compared.
     *
     * @param version of the server, which decides whose row counts
     */
    public static Optional<Set<Place>> places(String version, JsonNode before, JsonNode after) {
        var known = KubernetesVersion.of(version);
        var state = JobState.of(before);
        var spec = after.path("spec");
        return Comparison.between(JobFieldSemantics.SEMANTICS, SPEC, before.path("spec"), spec)
                .map(differences -> differences.stream()
                        .flatMap(difference -> Place.deciding(
                                ImmutableJobFields.TABLE,
                                difference.path(),
                                exemption -> ImmutableJobFields.mutability(
                                        exemption.when(), exemption.gate(known), difference, state, spec))
                                .map(row -> new Place(row.fields().text(), condition(row, difference, state, spec)))
                                .stream())
                        .collect(toUnmodifiableSet()));
    }

    private static boolean isGated(When when) {
        return switch (when) {
            case NEVER, ALWAYS, RESIZED_WITH_PARALLELISM -> false;
            case TAKES_SCHEDULING_DIRECTIVES,
                    IS_NOT_LOOKED_AT,
                    COMES_OR_GOES_EMPTY,
                    TAKES_RESOURCES,
                    ADDED,
                    COMES_OR_GOES,
                    CHANGED_AT_ALL -> true;
        };
    }

    private static List<Condition> conditions(When when) {
        return switch (when) {
            case NEVER, ALWAYS, CHANGED_AT_ALL -> List.of(Condition.ALWAYS);
            case RESIZED_WITH_PARALLELISM ->
                List.of(Condition.RESIZED_WITH_PARALLELISM, Condition.COMPLETIONS_REMOVED, Condition.OTHERWISE);
            case TAKES_SCHEDULING_DIRECTIVES, IS_NOT_LOOKED_AT, TAKES_RESOURCES ->
                List.of(
                        Condition.JOB_NEVER_STARTED,
                        Condition.JOB_NEVER_STARTED_NOT_REPORTED,
                        Condition.JOB_STOPPED,
                        Condition.OTHERWISE);
            case COMES_OR_GOES_EMPTY -> List.of(Condition.EMPTY_FIELD_ADDED_OR_REMOVED, Condition.OTHERWISE);
            case ADDED -> List.of(Condition.FIELD_ADDED, Condition.OTHERWISE);
            case COMES_OR_GOES -> List.of(Condition.FIELD_ADDED_OR_REMOVED, Condition.OTHERWISE);
        };
    }

    private static Condition condition(Row<MutableWhen> row, Difference difference, JobState state, JsonNode after) {
        return conditions(row.exemption().when()).stream()
                .filter(condition -> holds(condition, row, difference, state, after))
                .findFirst()
                .orElseThrow();
    }

    private static boolean holds(
            Condition condition, Row<MutableWhen> row, Difference difference, JobState state, JsonNode after) {
        var when = row.exemption().when();
        return switch (condition) {
            case FIELD_ADDED ->
                difference.kind() == Difference.Kind.ADDED && row.fields().is(difference.path());
            case FIELD_ADDED_OR_REMOVED ->
                difference.kind() != Difference.Kind.CHANGED && row.fields().is(difference.path());
            case RESIZED_WITH_PARALLELISM ->
                ImmutableJobFields.mutability(when, FeatureGate.UNKNOWN, difference, state, after)
                        == Mutability.ACCEPTED;
            case COMPLETIONS_REMOVED ->
                ImmutableJobFields.mutability(when, FeatureGate.UNKNOWN, difference, state, after) == Mutability.UNSURE;
            case EMPTY_FIELD_ADDED_OR_REMOVED ->
                JobFieldSemantics.SEMANTICS.isReportedThroughChildren(difference.path());
            case JOB_NEVER_STARTED, JOB_NEVER_STARTED_NOT_REPORTED, JOB_STOPPED -> state.equals(state(condition));
            case ALWAYS, OTHERWISE -> true;
            default -> throw new IllegalArgumentException(condition.word());
        };
    }

    /** Of a Job of which the condition holds. */
    private static JobState state(Condition condition) {
        return switch (condition) {
            case JOB_NEVER_STARTED -> new JobState(true, true, true);
            case JOB_NEVER_STARTED_NOT_REPORTED -> new JobState(true, true, false);
            case JOB_STOPPED -> new JobState(true, false, true);
            default -> new JobState(false, false, false);
        };
    }

    /** What the table says of an edit that is as the condition wants it. */
    private static Map<String, FieldOutcome> outcomes(Row<MutableWhen> row, Condition condition) {
        var exemption = row.exemption();
        var path = FieldPath.ROOT;
        for (var name : row.fields().names()) {
            path = name.equals("*") ? path.index(0) : path.field(name);
        }
        var kind = switch (condition) {
            case FIELD_ADDED, FIELD_ADDED_OR_REMOVED -> Difference.Kind.ADDED;
            default -> Difference.Kind.CHANGED;
        };
        var difference = new Difference(path, kind);
        var after = JsonNodeFactory.instance.objectNode().put("completionMode", "Indexed");
        if (condition != Condition.COMPLETIONS_REMOVED) {
            after.put("completions", 2).put("parallelism", condition == Condition.RESIZED_WITH_PARALLELISM ? 2 : 1);
        }
        return Arrays.stream(KubernetesVersion.values())
                .collect(toMap(
                        KubernetesVersion::label,
                        version -> isUndecided(row, condition)
                                ? FieldOutcome.DEPENDS
                                : isDroppedWithItsVolume(row, condition)
                                        ? FieldOutcome.REFUSED
                                        : outcome(exemption, Optional.of(version), difference, state(condition), after),
                        (one, other) -> one,
                        TreeMap::new));
    }

    /** Where it depends on the state of the Job, or on what is beside the field. */
    private static boolean isUndecided(Row<MutableWhen> row, Condition condition) {
        return condition == Condition.EMPTY_FIELD_ADDED_OR_REMOVED
                // with it the server drops a lifecycle in which there is nothing else, and refuses that
                || (condition == Condition.FIELD_ADDED && row.fields().text().endsWith(".lifecycle.stopSignal"));
    }

    /** Without its gate the server drops the whole volume, and refuses a list that is shorter. */
    private static boolean isDroppedWithItsVolume(Row<MutableWhen> row, Condition condition) {
        return condition == Condition.FIELD_ADDED && row.fields().text().equals("spec.template.spec.volumes[*].image");
    }

    private static FieldOutcome outcome(
            MutableWhen exemption,
            Optional<KubernetesVersion> version,
            Difference difference,
            JobState state,
            JsonNode after) {
        var gate = exemption.gate(version);
        var mutability = ImmutableJobFields.mutability(exemption.when(), gate, difference, state, after);
        var isField = switch (exemption.when()) {
            case ADDED, COMES_OR_GOES, CHANGED_AT_ALL -> gate == FeatureGate.ON;
            default -> true;
        };
        return mutability == Mutability.ACCEPTED && !isField ? FieldOutcome.IGNORED : FieldOutcome.of(mutability);
    }
}
