package dev.gitopsinterlock.testing;

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
        var command = Stream.concat(Stream.of(Tool.program(tool)), Stream.of(arguments));
        return Command.run(
                Map.of(
                        "KUBECONFIG", workspace.kubeconfig().toString(),
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
        return "Helm " + answer.orFail().out().strip();
    }
}
