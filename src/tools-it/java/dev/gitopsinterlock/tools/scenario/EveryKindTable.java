package dev.gitopsinterlock.tools.scenario;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;

import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
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

            An edit that Kubernetes refuses, of each kind of object. The rows cover all combinations of two of kind, way to apply
            and compare, policy, tracking (annotation, label, both), self-heal and impersonation. Objects of the cluster, such as a
            StorageClass, follow the setting of the installation, here `Reject`. With client-side apply Argo CD itself recreates a
            binding.

            "Synced, and not applied" is Argo CD's (argoproj/argo-cd#28722), which forgets a refusal that comes while it compares:
            under `Ignore`, where Kubernetes refuses, and where the content of a Secret or ConfigMap differs. Nothing else of that commit
            is applied either. [`gitops-interlock status`](status.md) names such Applications for an hour. Annotate
            such an Application with `argocd.argoproj.io/compare-options: ServerSideDiff=false`
            ([why](guidance/ArgoCdServerSideApplyJobEdit.md#server-side-diff)).

            | applies and compares by | policy | shown | of |
            |---|---|---|---|
            """;

    private EveryKindTable() {}

    public static Path golden() {
        return Project.directory().resolve("src/test/resources/argocd/every-kind.tsv");
    }

    /** A line for each row, sorted. */
    public static String text(Map<List<String>, String> shown) {
        return Stream.concat(
                        Stream.of(HEADER),
                        shown.entrySet().stream()
                                .map(each -> String.join("\t", each.getKey()) + "\t" + each.getValue())
                                .sorted())
                .collect(joining("\n", "", "\n"));
    }

    private record Line(String kind, String mode, String policy, String shown) {

        static Line of(String line) {
            var cells = List.of(line.split("\t", -1));
            return new Line(cells.getFirst(), cells.get(1), cells.get(2), inShort(cells.getLast()));
        }

        private static String inShort(String shown) {
            return shown.replaceFirst(", sync.*: [A-Z]\\w+$", ", with our words")
                    .replaceFirst(", sync.*: ", ", with ");
        }
    }

    /** Of the golden: for each way to apply and each policy what was shown, of which kinds. */
    static String page() {
        var lines = Texts.read(golden()).lines().skip(1).map(Line::of).toList();
        var page = new StringBuilder(INTRODUCTION);
        lines.stream()
                .collect(groupingBy(
                        line -> List.of(line.mode(), line.policy()),
                        () -> new TreeMap<>(Comparator.<List<String>, String>comparing(List::getFirst)
                                .thenComparing(List::getLast)),
                        groupingBy(Line::shown, LinkedHashMap::new, mapping(Line::kind, toCollection(TreeSet::new)))))
                .forEach((way, shown) -> shown.forEach((words, kinds) -> page.append("| %s | %s | %s | %s |\n"
                        .formatted(way.getFirst(), way.getLast(), words, String.join(", ", kinds)))));
        return page.append(
                        "\nSeen by `ArgoCdEveryKindToolsIT.isAppliedOrShown`; all combinations: `make argocd-table`.\n")
                .toString();
    }
}
