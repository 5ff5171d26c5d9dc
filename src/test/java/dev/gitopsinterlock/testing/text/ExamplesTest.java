package dev.gitopsinterlock.testing.text;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
