package dev.gitopsinterlock.testing.client;

import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Helm as people run it, with its defaults. */
public enum Helm {
    /** Merges what is live with what the chart says, and sends a patch. */
    HELM_3("helm3"),
    /** Applies by the server. */
    HELM_4("helm4");

    private final String tool;

    Helm(String tool) {
        this.tool = tool;
    }

    /**
     * Runs it as the administrator.
     *
     * @param home where it keeps what it remembers outside the cluster
     */
    public Command.Result run(Workspace workspace, Path home, String... arguments) {
        return run(Tool.program(tool), workspace.kubeconfig(), workspace, home, arguments);
    }

    /** What it makes of a chart for a release and a Namespace of the same name, without any cluster. */
    public Command.Result template(Path chart, String release, List<String> arguments) {
        // built from its module it takes its client's version for the cluster's, and Helm 3 knows none
        var version = System.getProperty("kubernetes.version", "1.37.2");
        return withoutCluster(
                List.of("template", release, chart.toString(), "--kube-version", version), release, arguments);
    }

    /** What an installation would say at its end, without any cluster. Helm 3 asks one even then. */
    public Command.Result notes(Path chart, String release, List<String> arguments) {
        return withoutCluster(List.of("install", release, chart.toString(), "--dry-run=client"), release, arguments);
    }

    /** Writes the chart's package into a folder. */
    public Command.Result pack(Path chart, Path folder) {
        return withoutCluster(
                List.of("package", chart.toString()), "default", List.of("--destination", folder.toString()));
    }

    /** What it finds wrong with a chart, warnings among it. */
    public Command.Result lint(Path chart, List<String> arguments) {
        return withoutCluster(List.of("lint", "--strict", chart.toString()), "default", arguments);
    }

    private Command.Result withoutCluster(List<String> command, String namespace, List<String> arguments) {
        var home = Project.directory().resolve("target/helm");
        return Command.run(
                Map.of(
                        "KUBECONFIG", home.resolve("no-kubeconfig").toString(),
                        "HELM_NAMESPACE", namespace,
                        "HELM_CACHE_HOME", home.resolve("cache").toString(),
                        "HELM_CONFIG_HOME", home.resolve("config").toString(),
                        "HELM_DATA_HOME", home.resolve("data").toString()),
                Stream.of(List.of(Tool.program(tool)), command, arguments)
                        .flatMap(List::stream)
                        .toList());
    }

    static Command.Result run(String program, Path kubeconfig, Workspace workspace, Path home, String... arguments) {
        var command = Stream.concat(Stream.of(program), Stream.of(arguments));
        return Command.run(
                Map.of(
                        "KUBECONFIG", kubeconfig.toString(),
                        "HELM_NAMESPACE", workspace.namespace(),
                        "HELM_CACHE_HOME", home.resolve("cache").toString(),
                        "HELM_CONFIG_HOME", home.resolve("config").toString(),
                        "HELM_DATA_HOME", home.resolve("data").toString()),
                command.toList());
    }

    /** What it calls itself. */
    @Override
    public String toString() {
        var answer = Command.run(Map.of(), List.of(Tool.program(tool), "version", "--template", "{{.Version}}"));
        return answer.orFail().out().strip().replaceFirst("v", "Helm ");
    }
}
