package dev.gitopsinterlock.cli.cluster;

import dev.gitopsinterlock.cli.input.Unreadable;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster, as kubectl is told. */
public final class ClusterOptions {

    private static final String KUBECTL = "kubectl";

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "As for kubectl.")
    private @Nullable String kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "As for kubectl: the current one by default.")
    private @Nullable String context;

    @Option(
            names = "--kubectl",
            paramLabel = "PROGRAM",
            defaultValue = KUBECTL,
            description = "The kubectl that reaches the cluster: the one on PATH by default. In a Pod without one, its"
                    + " service account is used.")
    private String program = KUBECTL;

    ClusterOptions() {}

    /** What reads from it. */
    public ClusterReader reader() throws Unreadable {
        return new ClusterReader(server());
    }

    /** The way to it. */
    public ApiServer server() throws Unreadable {
        if (kubeconfig == null && context == null && program.equals(KUBECTL)) {
            var account = inPod(System.getenv());
            if (account.isPresent()) {
                return account.get();
            }
        }
        return new Kubectl(kubectl());
    }

    /** The kubectl that reaches it, with the options that choose it. */
    public List<String> kubectl() {
        var command = new ArrayList<>(List.of(program));
        if (kubeconfig != null) {
            command.addAll(List.of("--kubeconfig", kubeconfig));
        }
        if (context != null) {
            command.addAll(List.of("--context", context));
        }
        return command;
    }

    private static Optional<ApiServer> inPod(Map<String, String> environment) throws Unreadable {
        var path = environment.getOrDefault("PATH", "");
        var hasKubectl = Arrays.stream(path.split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, KUBECTL)));
        return hasKubectl
                ? Optional.empty()
                : ServiceAccount.mounted(environment).map(ApiServer.class::cast);
    }
}
