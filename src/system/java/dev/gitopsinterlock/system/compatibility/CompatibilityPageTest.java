package dev.gitopsinterlock.system.compatibility;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.system.compatibility.Runs.Run;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.lang.Runtime.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/compatibility.md says what was seen on which version. {@code make compatibility} writes it from the last runs. */
class CompatibilityPageTest {

    private static final List<Row> ROWS = List.of(
            Row.passed("edits explained", "JobEditIT", "PublishedJobsIT"),
            Row.zero(
                    "[edits](differential.md) refused by us alone",
                    "DifferentialIT",
                    "accepted",
                    "refused by us alone"),
            Row.zero(
                    "edits refused as immutable without a word of ours",
                    "DifferentialIT",
                    "immutable",
                    "without our words"),
            Row.zero(
                    "edits that [`check`](check.md) judges wrongly by manifests alone",
                    "ManifestCheckIT",
                    Row.EDITS,
                    "MANIFESTS refused nothing",
                    "MANIFESTS accepted ERROR"),
            Row.passed("edits replaced: kubectl", "ReplaceIT"),
            Row.passed("edits replaced: Helm 3 and 4", "HelmReplaceToolsIT"),
            Row.passed("obstacles, faults, two replicas", "ReplaceObstaclesIT", "ReplaceFaultsIT"),
            Row.passed("edits carried out as the requester", "ImpersonationIT"),
            Row.passed("Jobs of their own, TTL, generated names, repair of a PUT", "SiblingJobIT", "NewJobIT"),
            Row.passed("many replacements at a time: none stuck, lost or run twice", "StressIT"),
            Row.passed("`spec.scheduling` of a Job", "JobSchedulingIT"),
            Row.passed("the gate on rollouts", "NodeGateIT", "RolloutStoriesIT"),
            Row.passed(
                    "[stories of the tools](scenarios.md)",
                    "ArgoCdJobEditToolsIT",
                    "ArgoCdHooksToolsIT",
                    "FluxToolsIT",
                    "HelmToolsIT",
                    "FleetToolsIT",
                    "KubectlToolsIT"),
            Row.passed("installed by Argo CD and Flux's kustomize-controller", "ChartByGitOpsToolsIT"),
            Row.passed("the chart installed, upgraded, rolled back, uninstalled", "InstallToolsIT"),
            Row.passed("on a real Node (kubelet, containerd, runc): the service under load", "InstallUnderLoadToolsIT"),
            Row.passed(
                    "on a real Node: Jobs and a StatefulSet replaced, a marked Job that holds its Node",
                    "InstallNodeStoriesToolsIT"),
            Row.passed("on a real Node: the network policy, enforced by kube-router", "InstallNetworkPolicyToolsIT"),
            Row.passed("certificates without cert-manager, renewed under load", "InstallSelfManagedToolsIT"),
            Row.passed("installed from a registry, verified", "InstallReleaseToolsIT"),
            Row.passed("beside Kyverno (`make test-kyverno`)", "KyvernoToolsIT"),
            Row.passed("on a real Node: beside Kyverno (the same)", "KyvernoOnNodeToolsIT"));

    @Test
    void thePageSaysWhatWasSeen() {
        var runs = GoldenFiles.areWritten() ? Runs.read().withLast() : Runs.read();
        var columns = Runs.offered();
        var rows = Stream.concat(
                        Stream.of(
                                line("", columns.stream().map(version -> "Kubernetes " + version)),
                                "|---" + "|---".repeat(columns.size()) + "|",
                                line(
                                        "integration tests failed (`make test`)",
                                        columns.stream().map(version -> all(runs, version)))),
                        ROWS.stream()
                                .map(row ->
                                        line(row.label(), columns.stream().map(version -> cell(row, runs, version)))))
                .collect(joining("\n"));
        GoldenFiles.compareSection(Path.of("docs/compatibility.md"), "runs", "\n\n" + rows + "\n");
    }

    private static String line(String first, Stream<String> cells) {
        return "| " + first + " | " + cells.collect(joining(" | ")) + " |";
    }

    /** Of all that is no tool's story, on the patch version on which most of it has run; if that is a part, it says so. */
    private static String all(Runs runs, Version column) {
        var classes = (int) runs.byVersion().values().stream()
                .flatMap(CompatibilityPageTest::integrationTests)
                .distinct()
                .count();
        return ofMinor(runs, column)
                .map(version -> {
                    var whole = seen(List.of(Runs.ALL), version.getValue());
                    var names = integrationTests(version.getValue()).toList();
                    var seen = whole.or(() -> seen(names, version.getValue())).orElseThrow();
                    var ran = whole.isPresent() ? classes : seen.size();
                    var part = ran == classes ? "" : " in %d of %d classes".formatted(ran, classes);
                    return Map.entry(
                            ran, seen.isEmpty() ? "" : failed(seen) + part + when(version.getKey(), column, seen));
                })
                .filter(ran -> !ran.getValue().isEmpty())
                .reduce((newer, older) -> older.getKey() > newer.getKey() ? older : newer)
                .map(Map.Entry::getValue)
                .orElse("not run");
    }

    private static Stream<String> integrationTests(Map<String, Run> runs) {
        return runs.entrySet().stream()
                .filter(entry -> entry.getValue().tests() > 0 && !entry.getKey().equals(Runs.ALL))
                .map(Map.Entry::getKey)
                .filter(name -> !name.endsWith("ToolsIT"));
    }

    private static String failed(List<Run> runs) {
        return "%d of %d"
                .formatted(
                        runs.stream().mapToInt(Run::failed).sum(),
                        runs.stream().mapToInt(Run::tests).sum());
    }

    private static String cell(Row row, Runs runs, Version column) {
        return ofMinor(runs, column)
                .flatMap(version -> seen(row.tests(), version.getValue())
                        .map(seen -> row.words().apply(seen) + when(version.getKey(), column, seen))
                        .stream())
                .findFirst()
                .orElse("not run");
    }

    /** The runs of all these tests, if there are all. */
    private static Optional<List<Run>> seen(List<String> tests, Map<String, Run> runs) {
        var seen = tests.stream()
                .flatMap(test -> Optional.ofNullable(runs.get(test)).stream())
                .toList();
        return seen.size() == tests.size() ? Optional.of(seen) : Optional.empty();
    }

    /** The patch versions of the same minor version, the newest first. */
    private static Stream<Map.Entry<Version, Map<String, Run>>> ofMinor(Runs runs, Version column) {
        return runs.byVersion().entrySet().stream()
                .filter(version -> version.getKey().feature() == column.feature()
                        && version.getKey().interim() == column.interim());
    }

    private static String when(Version version, Version column, List<Run> seen) {
        var date = seen.stream().map(Run::date).min(String::compareTo).orElseThrow();
        return version.equals(column) ? ", " + date : ", " + version + " on " + date;
    }
}
