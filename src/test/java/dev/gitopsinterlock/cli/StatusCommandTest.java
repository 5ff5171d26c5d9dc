package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.cli.cluster.CannedCluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCommandTest {

    @Test
    void watchesUntilItIsEnded(@TempDir Path folder) throws IOException, InterruptedException {
        CannedCluster.in(folder, Trees.resource("status/quiet/cluster.yaml"));
        var out = new StringWriter();
        var errors = new StringWriter();
        var code = new AtomicInteger(-1);
        var watching = Thread.ofPlatform()
                .start(() -> code.set(Interlock.commandLine(
                                InputStream.nullInputStream(),
                                folder,
                                Interlock.NAME,
                                new PrintWriter(out),
                                new PrintWriter(errors))
                        .execute(
                                "status",
                                "--watch=1",
                                "--kubectl",
                                folder.resolve("kubectl").toString())));

        await("two looks")
                .atMost(Patience.LIMIT)
                .until(() -> out.toString().split("Rollouts held: none", -1).length > 2);
        watching.interrupt();
        watching.join();

        assertThat(code).hasValue(ExitCode.NOTHING_FOUND);
        assertThat(errors.toString()).isEmpty();
        assertThat(out.toString()).doesNotContain("\u001b", "cannot be read");
    }

    @Test
    void aClusterThatDoesNotAnswerIsTrouble(@TempDir Path folder) throws IOException {
        CannedCluster.in(folder, Trees.json("{'/version': 'The connection to the server was refused'}"));

        var run =
                Run.in(folder, "status", "--kubectl", folder.resolve("kubectl").toString());

        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(run.errors()).isEqualTo("The connection to the server was refused\n");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aBarIsOneLineOfATerminal() {
        var terminal = new StringWriter();
        var bar = new ProgressBar(new PrintWriter(terminal), true);
        bar.show(500, 1500);
        bar.clear();
        new ProgressBar(new PrintWriter(terminal), false).show(500, 1500);

        assertThat(terminal.toString()).isEqualTo("\r[#######.......................] 500 of about 2000\r\u001b[K");
    }
}
