package dev.gitopsinterlock.check;

import static java.util.Comparator.naturalOrder;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.change.RealAnswers;
import dev.gitopsinterlock.testing.change.RealChange;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code check} says of real changes, against what the API server and Helm have said to them. */
class RealChangesTest {

    private static final Path PAGE = Path.of("docs/real-changes.md");

    /** An error is refused, and what is refused is found. */
    @Test
    void checkSaysWhatKubernetesSaid() {
        var wrong = new ArrayList<String>();
        for (var change : RealChange.all()) {
            for (var deployer : change.deployers()) {
                var found = change.check(deployer);
                var refused = RealAnswers.ofKubernetes(change, deployer);
                if (!refused.containsAll(ids(errors(found))) || !ids(found).containsAll(refused)) {
                    wrong.add("%s, %s: found %s, refused %s"
                            .formatted(change.name(), deployer, messages(found), refused));
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    /** Helm fails where check has an error, and beside that only where it has a warning. */
    @Test
    void checkSaysWhatHelmSaid() {
        var wrong = new ArrayList<String>();
        for (var helm : List.of(RealAnswers.HELM_3, RealAnswers.HELM_4)) {
            var recorded = helm.recorded();
            for (var change : charts()) {
                var found = change.check(Tool.HELM);
                var refused = recorded.getOrDefault(change.name(), List.of("no answer"));
                var isMissing = refused.isEmpty() && !errors(found).isEmpty();
                if (isMissing || !ids(found).containsAll(refused)) {
                    wrong.add("%s, %s: found %s, refused %s".formatted(change.name(), helm, messages(found), refused));
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void thePageHasEveryChange() {
        var rows = RealChange.all().stream().map(RealChangesTest::row).collect(joining("\n"));

        GoldenFiles.compareSection(PAGE, "sum", "\n" + sum() + "\n");
        GoldenFiles.compareSection(PAGE, "by-kind", """

                | kind | refused: error, warning, note, nothing | accepted: nothing, note, warning, error |
                |---|---|---|
                %s
                """.formatted(byKind()));
        GoldenFiles.compareSection(PAGE, "changes", """

                | chart or manifests | from | to | reported | Kubernetes | Helm 3 | Helm 4 | check for Helm or kubectl | check for Argo CD |
                |---|---|---|---|---|---|---|---|---|
                %s
                """.formatted(rows));
    }

    private static List<RealChange> charts() {
        return RealChange.all().stream()
                .filter(change -> change.facts().isChart())
                .toList();
    }

    private static String sum() {
        var all = RealChange.all();
        var refused = all.stream()
                .filter(change -> !RealAnswers.ofAll(change).isEmpty())
                .toList();
        var reported = refused.stream()
                .filter(change -> change.facts().issue().isPresent())
                .count();
        return """
                %d changes of %d charts and sets of manifests. Kubernetes refuses objects of %d, among them all %d that were reported; in %d of these only hooks, which Helm and Argo CD do not edit. \
                Of the %d changes of charts, Helm 3 fails on %d, Helm 4 on %d: those for which `check` has an error, which are %d, and claims with a warning. For Argo CD it has an error for %d of all changes.""".formatted(
                all.size(),
                all.stream().map(change -> change.facts().chart()).distinct().count(),
                refused.size(),
                reported,
                refused.stream()
                        .filter(change -> RealAnswers.ofAll(change).stream().allMatch(object -> isHook(change, object)))
                        .count(),
                charts().size(),
                failed(RealAnswers.HELM_3),
                failed(RealAnswers.HELM_4),
                charts().stream()
                        .filter(change -> !errors(change.check(Tool.HELM)).isEmpty())
                        .count(),
                all.stream()
                        .filter(change -> !errors(change.check(Tool.ARGO_CD)).isEmpty())
                        .count());
    }

    /** Of what differs and is no hook, as it goes to Helm or kubectl. */
    private static String byKind() {
        var counts = new TreeMap<String, int[]>();
        for (var change : RealChange.all()) {
            var deployer = change.deployers().getFirst();
            var refused = RealAnswers.ofKubernetes(change, deployer);
            var found = change.check(deployer).stream()
                    .collect(toMap(RealChangesTest::id, Finding::severity, BinaryOperator.minBy(naturalOrder())));
            for (var id : change.differing(deployer)) {
                var severities = List.of(Severity.values());
                var nothing = severities.size();
                var said = found.containsKey(id) ? severities.indexOf(found.get(id)) : nothing;
                for (var kind : List.of(id.substring(0, id.indexOf('/')), "all")) {
                    counts.computeIfAbsent(kind, _ -> new int[2 * nothing + 2])[
                            refused.contains(id) ? said : 2 * nothing + 1 - said]++;
                }
            }
        }
        return counts.entrySet().stream()
                .map(count -> "| %s | %d, %d, %d, %d | %d, %d, %d, %d |"
                        .formatted(Stream.concat(
                                        Stream.of(count.getKey()),
                                        Arrays.stream(count.getValue()).boxed())
                                .toArray()))
                .collect(joining("\n"));
    }

    private static long failed(RealAnswers helm) {
        var recorded = helm.recorded();
        return charts().stream()
                .filter(change ->
                        !recorded.getOrDefault(change.name(), List.of()).isEmpty())
                .count();
    }

    private static String row(RealChange change) {
        var facts = change.facts();
        return "| %s | %s | %s | %s | %s | %s | %s | %s | %s |"
                .formatted(
                        facts.chart(),
                        facts.from(),
                        facts.to(),
                        facts.issue().map(RealChangesTest::link).orElse(""),
                        kubernetes(change),
                        helm(change, RealAnswers.HELM_3),
                        helm(change, RealAnswers.HELM_4),
                        said(change, change.deployers().getFirst()),
                        said(change, Tool.ARGO_CD));
    }

    private static String link(String issue) {
        var parts = issue.split("#", -1);
        return "[%s](https://github.com/%s/issues/%s)".formatted(issue, parts[0], parts[1]);
    }

    private static String kubernetes(RealChange change) {
        var refused = RealAnswers.ofAll(change);
        if (refused.isEmpty()) {
            return "accepts";
        }
        return "refuses "
                + refused.stream()
                        .map(object -> isHook(change, object) ? object + " (hook)" : object)
                        .collect(joining(", "));
    }

    private static boolean isHook(RealChange change, String id) {
        return change.after().stream()
                .anyMatch(object -> RealChange.id(object).equals(id) && RealChange.isHook(object));
    }

    private static String helm(RealChange change, RealAnswers helm) {
        if (!change.facts().isChart()) {
            return "";
        }
        return helm.recorded().getOrDefault(change.name(), List.of()).isEmpty() ? "upgrades" : "fails";
    }

    private static String said(RealChange change, Tool deployer) {
        var found = change.check(deployer);
        return found.isEmpty()
                ? "nothing"
                : found.stream()
                        .map(finding -> finding.severity().name().toLowerCase(Locale.ROOT) + " for " + id(finding))
                        .collect(joining(", "));
    }

    private static List<Finding> errors(List<Finding> found) {
        return found.stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .toList();
    }

    private static Set<String> ids(List<Finding> found) {
        return found.stream().map(RealChangesTest::id).collect(toCollection(TreeSet::new));
    }

    private static String id(Finding finding) {
        return finding.object().kind() + "/" + finding.object().name();
    }

    private static List<String> messages(List<Finding> found) {
        return found.stream()
                .map(finding -> finding.severity() + " " + finding.message())
                .toList();
    }
}
