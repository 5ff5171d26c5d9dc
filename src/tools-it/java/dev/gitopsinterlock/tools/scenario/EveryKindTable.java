package dev.gitopsinterlock.tools.scenario;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;

import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What Argo CD showed of an edit of every kind that Kubernetes refuses: a golden with a line for each, and its sum. */
public final class EveryKindTable {

    private static final String HEADER = "kind\tapplies\tpolicy\ttracking\theals\tas\tshown";

    private static final String INTRODUCTION = """

            ## Argo CD, every kind

            An edit that Kubernetes refuses, of each kind of object. Each row was seen with each tracking (annotation, label,
            both), with and without self-heal and impersonation, and showed the same. Objects of the cluster, such as a StorageClass,
            follow the setting of the installation, here `Reject`. With client-side apply Argo CD itself recreates a binding.

            "Synced, and not applied" is Argo CD's (argoproj/argo-cd#28722), which forgets a refusal that comes while it compares:
            under `Ignore`, where Kubernetes refuses, and where the content of a Secret or ConfigMap differs. Nothing else of that commit
            is applied either, and Unknown takes turns with Synced. [`gitops-interlock status`](status.md) names such Applications for an hour. Annotate
            such an Application with `argocd.argoproj.io/compare-options: ServerSideDiff=false`
            ([why](guidance/ArgoCdServerSideApplyJobEdit.md#server-side-diff)).

            | applies and compares by | policy | shown | of |
            |---|---|---|---|
            """;

    private EveryKindTable() {}

    public static Path golden() {
        return Project.directory().resolve("src/test/resources/argocd/every-kind.tsv");
    }

    /**
     * A line for each row, sorted; one for all rows that differ in tracking, self-heal and account alone and showed the same.
     */
    public static String text(Map<List<String>, String> shown) {
        var lines = new TreeSet<String>();
        shown.keySet().stream().collect(groupingBy(EveryKindTable::way)).forEach((way, rows) -> {
            boolean areAlike = rows.stream().map(shown::get).distinct().count() == 1;
            (areAlike ? Stream.of(any(way)) : rows.stream())
                    .map(row -> String.join("\t", row) + "\t" + shown.get(areAlike ? rows.getFirst() : row))
                    .forEach(lines::add);
        });
        return HEADER + "\n" + String.join("\n", lines) + "\n";
    }

    /** What such rows have of this one. */
    public static String expected(List<String> row, Map<List<String>, String> rows) {
        return rows.getOrDefault(row, rows.getOrDefault(any(way(row)), "nothing"));
    }

    /** What such a text says, by row; nothing where there is no such file. */
    public static Map<List<String>, String> rows(Path file) {
        if (!Files.exists(file)) {
            return Map.of();
        }
        return Texts.read(file)
                .lines()
                .filter(line -> !line.equals(HEADER))
                .map(line -> List.of(line.split("\t", -1)))
                .collect(toMap(cells -> cells.subList(0, cells.size() - 1), List::getLast));
    }

    /** Kind, way to apply, and policy. */
    private static List<String> way(List<String> row) {
        return row.subList(0, 3);
    }

    private static List<String> any(List<String> way) {
        return Stream.concat(way.stream(), Stream.of("any", "any", "any")).toList();
    }

    /** Of the golden: for each way to apply and each policy what was shown, of which kinds. */
    static String page() {
        var page = new StringBuilder(INTRODUCTION);
        rows(golden()).entrySet().stream()
                .collect(groupingBy(
                        row -> way(row.getKey()).subList(1, 3),
                        () -> new TreeMap<>(Comparator.<List<String>, String>comparing(List::getFirst)
                                .thenComparing(List::getLast)),
                        groupingBy(
                                row -> inShort(row.getValue()),
                                TreeMap::new,
                                mapping(row -> row.getKey().getFirst(), toCollection(TreeSet::new)))))
                .forEach((way, shown) -> {
                    int most = shown.values().stream()
                            .mapToInt(TreeSet::size)
                            .max()
                            .orElseThrow();
                    shown.forEach((words, kinds) -> page.append("| %s | %s | %s | %s |\n"
                            .formatted(
                                    way.getFirst(),
                                    way.getLast(),
                                    words,
                                    shown.size() == 1
                                            ? "all kinds"
                                            : kinds.size() == most ? "the others" : String.join(", ", kinds))));
                });
        return page.append(
                        "\nSeen by `ArgoCdEveryKindToolsIT.isAppliedOrShown`; `make argocd-table` goes through all combinations.\n")
                .toString();
    }

    private static String inShort(String shown) {
        return shown.replaceFirst(", sync.*: [A-Z]\\w+$", ", with our words").replaceFirst(", sync.*: ", ", with ");
    }
}
