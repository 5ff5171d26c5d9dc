package dev.gitopsinterlock.system.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of examples/quickstart, word for word as somebody copies them from there. */
@OnNode
class InstallQuickstartToolsIT {

    private static final Pattern COMMAND =
            Pattern.compile("^ {4}((?:helm|kubectl) (?:.*\\\\\\n)*.*)$", Pattern.MULTILINE);

    private final Platform platform;
    private final Path home;

    InstallQuickstartToolsIT(Platform platform, @TempDir Path home) {
        this.platform = platform;
        this.home = home;
    }

    @BeforeEach
    void putProgramsOnThePath() throws IOException {
        Files.createSymbolicLink(home.resolve("helm"), Path.of(Tool.program("helm4")));
        Files.createSymbolicLink(home.resolve("kubectl"), platform.kubernetes().kubectlProgram());
    }

    @Test
    void anEditIsExplainedThenTakesEffectAndNothingStays() throws IOException {
        Image.assumeBusybox();
        var commands = commands();
        var clusterBefore = platform.clusterObjects();
        run(commands, "helm install").orFail();
        run(commands, "kubectl apply").orFail();
        run(commands, "kubectl wait").orFail();
        var edit = run(commands, "kubectl set image");
        assertThat(edit.exitCode()).isNotZero();
        assertThat(edit.err()).contains("KubectlLiveJobEdit");

        run(commands, "helm upgrade").orFail();
        run(commands, "kubectl annotate").orFail();
        var again = commands.removeFirst();
        assertThat(again).startsWith("kubectl set image");
        await("carried out")
                .atMost(Patience.LIMIT)
                .until(() -> run(again), answer -> answer.err().contains("Job hello was replaced and runs again"));

        run(commands, "helm uninstall").orFail();
        run(commands, "kubectl delete").orFail();
        run(commands, "kubectl annotate").orFail();
        run(commands, "kubectl delete").orFail();
        assertThat(platform.clusterObjects()).isEqualTo(clusterBefore);
        assertThat(commands).isEmpty();
    }

    private static Deque<String> commands() throws IOException {
        var page = Files.readString(Project.directory().resolve("examples/quickstart/README.md"));
        var commands = new ArrayDeque<String>();
        COMMAND.matcher(page).results().forEach(found -> commands.add(found.group(1)));
        return commands;
    }

    private Command.Result run(Deque<String> commands, String beginning) {
        var next = commands.removeFirst();
        assertThat(next).startsWith(beginning);
        return run(next);
    }

    private Command.Result run(String command) {
        return Command.run(
                Map.of(
                        "PATH",
                        home + ":" + System.getenv("PATH"),
                        "HOME",
                        home.toString(),
                        "KUBECONFIG",
                        platform.kubernetes().adminKubeconfig().toString()),
                List.of("sh", "-c", command));
    }
}
