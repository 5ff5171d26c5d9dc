package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Folders with a manifest before and after a change, and what the program says to them. */
class CheckCasesTest {

    private static final Path CASES = Project.directory().resolve("src/test/resources/check");

    static List<String> cases() throws IOException {
        try (var folders = Files.list(CASES)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void saysWhatWasReviewed(String name) throws IOException {
        var run = run(name, List.of());

        assertThat(run.errors()).isEmpty();
        GoldenFiles.compare(CASES.resolve(name).resolve("expected.txt"), run.out() + "exit code " + run.code() + "\n");
    }

    /** What was fixed is not found again, and everything else of the file is as it was. */
    @ParameterizedTest
    @MethodSource("cases")
    void whatIsFixedIsFine(String name, @TempDir Path copy) throws IOException {
        for (var file : List.of("base.yaml", "target.yaml")) {
            Files.copy(CASES.resolve(name).resolve(file), copy.resolve(file));
        }
        var found = Run.in(copy, arguments(name, List.of("-o", "json")));
        var fixed = Run.in(copy, arguments(name, List.of("--fix")));
        var again = Run.in(copy, arguments(name, List.of("-o", "json")));

        var golden = CASES.resolve(name).resolve("fixed.txt");
        if (found.out().contains("\"fix\"")) {
            GoldenFiles.compare(golden, fixed.out() + "exit code " + fixed.code() + "\n");
            if (!fixed.out().contains("--fix leaves ")) {
                assertThat(again.out()).doesNotContain("\"fix\"");
            }
        } else {
            assertThat(golden).doesNotExist();
            assertThat(copy.resolve("target.yaml"))
                    .hasSameTextualContentAs(CASES.resolve(name).resolve("target.yaml"));
        }
        assertThat(again.code()).isEqualTo(fixed.code());
    }

    /** The program, on one of them. */
    static Run run(String name, List<String> others) throws IOException {
        return Run.in(CASES.resolve(name), arguments(name, others));
    }

    private static String[] arguments(String name, List<String> others) throws IOException {
        var arguments = new ArrayList<>(List.of("check", "base.yaml", "target.yaml"));
        arguments.addAll(others);
        var file = CASES.resolve(name).resolve("arguments.txt");
        if (Files.exists(file)) {
            arguments.addAll(List.of(Files.readString(file).strip().split(" ", -1)));
        }
        return arguments.toArray(String[]::new);
    }
}
