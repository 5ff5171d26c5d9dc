package dev.gitopsinterlock.system.atlas;

import static java.util.stream.Collectors.toMap;

import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.system.atlas.FieldRun.Counts;
import dev.gitopsinterlock.system.atlas.TableRow.Case;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What is published: {@code docs/immutability/atlas.json} is this record, and {@code atlas.schema.json} beside it says what
 * other tools may rely on.
 *
 * @param effects what each word for one means
 * @param conditions what each word for one means
 */
record Atlas(
        String schemaVersion,
        List<String> kubernetes,
        Map<String, String> effects,
        Map<String, String> conditions,
        List<Kind> kinds) {

    /** Larger by one in front of the dot where a tool that reads the file would have to change. */
    private static final String SCHEMA_VERSION = "1.0";

    static final List<String> MINORS = Arrays.stream(KubernetesVersion.values())
            .map(KubernetesVersion::label)
            .toList();

    /**
     * A kind.
     *
     * @param edits that were sent, by minor version
     * @param tags in the types of k8s.io/api
     */
    record Kind(
            String apiVersion,
            String kind,
            String resource,
            boolean namespaced,
            Map<String, Edits> edits,
            List<Field> fields,
            List<Tagged> tags) {}

    /** All edits of a kind on one version. */
    record Edits(
            String tested,
            String date,
            long seed,
            int sent,
            int accepted,
            int refused,
            int refusedAsImmutable,
            int refusedInOurWords,
            int refusedByUsAlone) {

        private static Edits of(FieldRuns.Seen seen) {
            var run = seen.run();
            return new Edits(
                    seen.version().toString(),
                    run.date(),
                    run.seed(),
                    run.number(FieldRun.EDITS),
                    run.number(FieldRun.ACCEPTED),
                    run.number(FieldRun.REFUSED),
                    run.number(FieldRun.AS_IMMUTABLE),
                    run.number(FieldRun.IN_OUR_WORDS),
                    run.number(FieldRun.BY_US_ALONE));
        }
    }

    /** A row of the table. */
    record Field(String path, boolean gated, List<FieldCase> cases) {}

    /** What becomes of edits for which the condition holds. */
    record FieldCase(Condition when, Map<String, Seen> kubernetes) {

        Seen on(String minor) {
            return Objects.requireNonNull(kubernetes.get(minor));
        }
    }

    /** On one version: what is so, and how many edits have shown it. */
    record Seen(FieldOutcome effect, int accepted, int ignored, int refused) {

        private static Seen of(FieldOutcome effect, Counts edits) {
            return new Seen(effect, edits.accepted(), edits.ignored(), edits.refused());
        }

        /** Whether no edit tells of something else. What is ignored because of a default would be so anywhere. */
        boolean isBorneOut() {
            return switch (effect) {
                case ACCEPTED -> refused == 0;
                case REFUSED -> accepted == 0;
                case IGNORED -> accepted == 0 && refused == 0;
                case DEPENDS -> true;
            };
        }
    }

    /** A field with tags, by minor version. */
    record Tagged(String path, Map<String, List<String>> kubernetes) {}

    static Atlas of(FieldRuns runs, Map<String, List<TaggedField>> tags) {
        return new Atlas(
                SCHEMA_VERSION,
                MINORS,
                words(FieldOutcome.values(), FieldOutcome::word, FieldOutcome::sentence),
                words(Condition.values(), Condition::word, Condition::sentence),
                AtlasKind.all().stream().map(kind -> kind(kind, runs, tags)).toList());
    }

    private static <T> Map<String, String> words(T[] values, Function<T, String> word, Function<T, String> sentence) {
        return Arrays.stream(values).collect(toMap(word, sentence, (one, other) -> one, LinkedHashMap::new));
    }

    private static Kind kind(AtlasKind kind, FieldRuns runs, Map<String, List<TaggedField>> tags) {
        var seen = new TreeMap<String, FieldRuns.Seen>();
        MINORS.forEach(minor -> runs.of(minor, kind.name()).ifPresent(run -> seen.put(minor, run)));
        var edits = new TreeMap<String, Edits>();
        seen.forEach((minor, run) -> edits.put(minor, Edits.of(run)));
        var fields = kind.rows().stream()
                .map(row -> new Field(row.path(), row.isGated(), cases(row, seen)))
                .toList();
        return new Kind(
                kind.apiVersion(), kind.name(), kind.resource(), kind.namespaced(), edits, fields, tagged(kind, tags));
    }

    /** What is so in the last cases alike is said once. */
    private static List<FieldCase> cases(TableRow row, Map<String, FieldRuns.Seen> runs) {
        var cases = row.cases();
        var last = cases.getLast();
        var alike = (int) cases.reversed().stream()
                .takeWhile(each -> each.outcomes().equals(last.outcomes()))
                .count();
        var others = cases.subList(0, cases.size() - alike);
        var rest = new FieldCase(
                others.isEmpty() ? Condition.ALWAYS : Condition.OTHERWISE,
                seen(row, cases.subList(others.size(), cases.size()), runs));
        return Stream.concat(
                        others.stream().map(each -> new FieldCase(each.when(), seen(row, List.of(each), runs))),
                        Stream.of(rest))
                .toList();
    }

    /** In cases alike. */
    private static Map<String, Seen> seen(TableRow row, List<Case> cases, Map<String, FieldRuns.Seen> runs) {
        var seen = new TreeMap<String, Seen>();
        cases.getFirst().outcomes().forEach((minor, outcome) -> {
            var run = runs.get(minor);
            var edits = run == null
                    ? Counts.NONE
                    : cases.stream()
                            .flatMap(each -> run.run().counts(row.path(), each.when()).stream())
                            .reduce(Counts.NONE, Counts::plus);
            seen.put(minor, Seen.of(outcome, edits));
        });
        return seen;
    }

    private static List<Tagged> tagged(AtlasKind kind, Map<String, List<TaggedField>> tags) {
        var byField = new LinkedHashMap<String, Map<String, List<String>>>();
        tags.forEach((minor, fields) -> fields.stream()
                .filter(field -> field.isOf(kind))
                .forEach(field -> byField.computeIfAbsent(field.field(), first -> new TreeMap<>())
                        .put(minor, field.tags())));
        return byField.entrySet().stream()
                .map(field -> new Tagged(field.getKey(), field.getValue()))
                .toList();
    }
}
