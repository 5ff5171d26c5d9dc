package dev.gitopsinterlock.cli.cluster;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster, as kubectl is told. */
public final class ClusterOptions {

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "As for kubectl.")
    private @Nullable String kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "As for kubectl: the current one by default.")
    private @Nullable String context;

    @Option(
            names = "--kubectl",
            paramLabel = "PROGRAM",
            defaultValue = "kubectl",
            description = "The kubectl that reaches the cluster: the one on PATH by default.")
    private String program = "kubectl";

    ClusterOptions() {}

    /** The way to it. */
    public ClusterReader reader() {
        var command = new ArrayList<>(List.of(program));
        if (kubeconfig != null) {
            command.addAll(List.of("--kubeconfig", kubeconfig));
        }
        if (context != null) {
            command.addAll(List.of("--context", context));
        }
        return new ClusterReader(command);
    }
}
