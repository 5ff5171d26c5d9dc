package dev.gitopsinterlock.testing.text;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every folder of examples/ tells its story in five lines, but the quickstart, which is a way; and a test runs each. */
class ExamplesTest {

    private static final Path QUICKSTART = Path.of("examples/quickstart");

    static List<Path> examples() throws IOException {
        try (var files = Files.list(Path.of("examples"))) {
            return files.filter(Files::isDirectory).sorted().toList();
        }
    }

    static List<Path> stories() throws IOException {
        return examples().stream()
                .filter(example -> !example.equals(QUICKSTART))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("stories")
    void theReadmeHasFiveLines(Path example) throws IOException {
        var lines = Files.readAllLines(example.resolve("README.md"));

        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).startsWith("# ");
        assertThat(lines.get(1)).startsWith("- **Story:** ");
        assertThat(lines.get(2)).startsWith("- **Before:** ");
        assertThat(lines.get(3)).startsWith("- **With gitops-interlock:** ");
        assertThat(lines.get(4)).startsWith("- **Look at:** ");
    }

    /** Programs of ours in the place of kubectl and sleep: nobody waits, and each renewal is a line. */
    @Test
    void aLeaseOfAKilledScriptIsNotRenewed(@TempDir Path folder) throws Exception {
        var renewals = Files.createFile(folder.resolve("renewals"));
        for (var program : Map.of(
                        "kubectl", "cat > /dev/null; echo renewed >> " + renewals, "sleep", "exec /bin/sleep 0.02")
                .entrySet()) {
            var file = Files.writeString(folder.resolve(program.getKey()), "#!/bin/sh\n" + program.getValue() + "\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        var command = new ProcessBuilder("examples/announced-hold/hold", "payments", "/bin/sleep", "600");
        command.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        var hold = command.start();
        await().until(() -> Files.readAllLines(renewals).size() > 3);

        var renewer = hold.descendants().toList();
        hold.destroyForcibly().waitFor();

        await().until(() -> renewer.stream()
                .noneMatch(each ->
                        each.isAlive() && each.info().command().orElse("").endsWith("sh")));
        renewer.forEach(ProcessHandle::destroyForcibly);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void aTestRunsIt(Path example) throws IOException {
        try (var tests = Files.walk(Path.of("src"))) {
            var text = tests.filter(file -> file.toString().endsWith("IT.java"))
                    .map(Texts::read)
                    .collect(joining());

            assertThat(text).containsAnyOf("\"" + example.getFileName() + "\"", "\"" + example + "/README.md\"");
        }
    }
}
