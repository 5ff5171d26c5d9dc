package dev.gitopsinterlock.system.differential;

import dev.gitopsinterlock.system.atlas.FieldRun;
import dev.gitopsinterlock.system.differential.Editor.Place;
import dev.gitopsinterlock.system.differential.Schema.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts outcomes and writes them down as Markdown. */
final class Tally {

    private static final String TEMPLATE = "spec.template.spec.";
    private static final Set<String> PARTS_OF_THEIR_OWN = Set.of(
            "affinity",
            "containers",
            "ephemeralContainers",
            "initContainers",
            "nodeSelector",
            "schedulingGates",
            "securityContext",
            "tolerations",
            "volumes");

    private final List<Result> results = new ArrayList<>();
    private final Set<Field> edited = new HashSet<>();

    /**
     * One edit and what became of it.
     *
     * @param shown about a row of the table, if anything
     * @param detail for a person who looks into it
     */
    record Result(
            State state, Method method, List<Place> places, Outcome outcome, Optional<Shown> shown, String detail) {

        Result {
            places = List.copyOf(places);
        }

        /** Whether a person may want to see what was sent and answered. */
        boolean isToBeRead() {
            return outcome.isToBeRead() || (outcome == Outcome.OUR_WARNING && Gates.of(this) == Gates.NONE);
        }

        Result with(String text) {
            return new Result(state, method, places, outcome, shown, text);
        }

        Result of(Outcome known) {
            return new Result(state, method, places, known, shown, detail);
        }

        /** The same, of which nothing is known but that. */
        Result as(Outcome other) {
            return new Result(state, method, places, other, Optional.empty(), detail);
        }
    }

    void add(Result result) {
        results.add(result);
        result.places().forEach(place -> edited.add(place.field()));
    }

    int size() {
        return results.size();
    }

    List<Result> of(Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).toList();
    }

    /** Of the edits that the API server refuses as immutable, how many get our words, as a denial or as a warning. */
    double explainedShare() {
        return (double) explained() / (explained() + count(Outcome.LET_THROUGH));
    }

    private int explained() {
        return count(Outcome.OUR_WORDS) + count(Outcome.OUR_WARNING);
    }

    /** What the edits have shown about the table. */
    List<Shown> shown() {
        return results.stream().flatMap(result -> result.shown().stream()).toList();
    }

    /** The same numbers as those of other kinds. */
    Map<String, Integer> numbersOfKind() {
        var accepted = count(Outcome.ACCEPTED, Outcome.ACCEPTED_WITH_OUR_WARNING, Outcome.WRONGLY_REFUSED);
        return Map.of(
                FieldRun.EDITS,
                results.size(),
                FieldRun.ACCEPTED,
                accepted,
                FieldRun.REFUSED,
                results.size() - accepted - count(Outcome.UNSETTLED),
                FieldRun.AS_IMMUTABLE,
                explained() + count(Outcome.LET_THROUGH),
                FieldRun.IN_OUR_WORDS,
                explained() + count(Outcome.OTHERWISE_REFUSED_OUR_WORDS),
                FieldRun.BY_US_ALONE,
                count(Outcome.WRONGLY_REFUSED));
    }

    /** What stands behind the zero of edits that only we refuse. */
    Map<String, Integer> numbers() {
        var numbers = new LinkedHashMap<String, Integer>();
        numbers.put("edits", results.size());
        numbers.put("accepted", count(Outcome.ACCEPTED, Outcome.ACCEPTED_WITH_OUR_WARNING, Outcome.WRONGLY_REFUSED));
        numbers.put("refused by us alone", count(Outcome.WRONGLY_REFUSED));
        numbers.put("immutable", count(Outcome.OUR_WORDS, Outcome.OUR_WARNING, Outcome.LET_THROUGH));
        numbers.put("without our words", count(Outcome.LET_THROUGH));
        return numbers;
    }

    private int count(Outcome... outcomes) {
        return Math.toIntExact(results.stream()
                .filter(result -> Arrays.asList(outcomes).contains(result.outcome()))
                .count());
    }

    String markdown(String title, Schema schema) {
        var text = new StringBuilder("## " + title + "\n\n");
        text.append(
                ("Of %d edits that the API server refused as immutable, %d (%.2f %%) got our words: %d a denial, %d a"
                                + " warning beside the API server's own denial. ")
                        .formatted(
                                explained() + count(Outcome.LET_THROUGH),
                                explained(),
                                100 * explainedShare(),
                                count(Outcome.OUR_WORDS),
                                count(Outcome.OUR_WARNING)));
        text.append("%d of %d fields of the schema were edited.\n\n"
                .formatted(
                        edited.stream()
                                .filter(field -> schema.has(field.path()))
                                .count(),
                        schema.fields().size()));
        table(
                text,
                "state, method",
                result ->
                        List.of(result.state().label() + ", " + result.method().label()));
        table(
                text,
                "part (an edit counts once in each that it touches)",
                result -> result.places().stream()
                        .map(place -> area(place.field().path()))
                        .distinct()
                        .toList());
        var letThrough = Stream.concat(of(Outcome.OUR_WARNING).stream(), of(Outcome.LET_THROUGH).stream())
                .collect(Collectors.groupingBy(Tally::whyLetThrough, TreeMap::new, Collectors.counting()));
        text.append(
                "Refused as immutable, let through by us (with a warning where it is counted as one):\n\n| why | state | edits |\n|---|---|---:|\n");
        letThrough.forEach((group, count) ->
                text.append("| ").append(group).append(" | ").append(count).append(" |\n"));
        return text.append('\n').toString();
    }

    private static String whyLetThrough(Result result) {
        var gate = Gates.of(result);
        var why = gate == Gates.NONE ? gate.text() + ": " + result.places() : gate.text();
        return why + " | " + result.state().label();
    }

    private void table(StringBuilder text, String first, Function<Result, List<String>> rowsOf) {
        var rows = new TreeMap<String, Map<Outcome, Integer>>();
        var total = new EnumMap<Outcome, Integer>(Outcome.class);
        for (var result : results) {
            rowsOf.apply(result)
                    .forEach(row -> rows.computeIfAbsent(row, key -> new EnumMap<>(Outcome.class))
                            .merge(result.outcome(), 1, Integer::sum));
            total.merge(result.outcome(), 1, Integer::sum);
        }
        text.append("| ").append(first);
        Arrays.stream(Outcome.values()).forEach(outcome -> text.append(" | ").append(outcome.label()));
        text.append(" |\n|---").append("|---:".repeat(Outcome.values().length)).append("|\n");
        rows.forEach((row, counts) -> row(text, row, counts));
        row(text, "**all edits**", total);
        text.append('\n');
    }

    private static void row(StringBuilder text, String name, Map<Outcome, Integer> counts) {
        text.append("| ").append(name);
        Arrays.stream(Outcome.values()).forEach(outcome -> text.append(" | ").append(counts.getOrDefault(outcome, 0)));
        text.append(" |\n");
    }

    private static String area(String path) {
        if (!path.startsWith("spec.template")) {
            return firstStep(path, "spec.");
        }
        if (!path.startsWith(TEMPLATE)) {
            return path.startsWith("spec.template.metadata") ? "template.metadata" : "template";
        }
        if (path.startsWith(TEMPLATE + "affinity.nodeAffinity")) {
            return "template.spec.affinity.nodeAffinity";
        }
        var part = firstStep(path, TEMPLATE);
        return PARTS_OF_THEIR_OWN.contains(part) ? "template.spec." + part : "template.spec: other fields";
    }

    private static String firstStep(String path, String prefix) {
        return path.substring(prefix.length()).replaceFirst("[.\\[].*", "");
    }
}
