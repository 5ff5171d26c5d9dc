package dev.gitopsinterlock.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that somebody else may have written: links, odd names, texts that are no manifest. */
class CheckInputTest {

    private static final Path CASE = Project.directory().resolve("src/test/resources/check/argocd");
    private static final String FOUND = "job.yaml:14:11: error: ";

    @TempDir
    private Path directory;

    @BeforeEach
    void twoFolders() throws IOException {
        write("old/job.yaml", Files.readString(CASE.resolve("base.yaml")));
        write("new/job.yaml", Files.readString(CASE.resolve("target.yaml")));
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                Arguments.of("kind: Job # é", "new/bad.yaml is not UTF-8"),
                Arguments.of("kind: Job\nmetadata: [\n", "new/bad.yaml:3:1: "));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void aFileThatCannotBeReadIsNamedAndTheOthersAreLookedAt(String text, String words) throws IOException {
        Files.writeString(directory.resolve("new/bad.yaml"), text, ISO_8859_1);
        for (var run : List.of(inFolders(), inGit())) {
            assertThat(run.errors()).contains(words).doesNotContain("Exception");
            assertThat(run.out()).contains(FOUND);
            assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {":(glob)**.yaml", "*.yaml", "-x.yaml", "ä.yaml"})
    void aNameIsOnlyAName(String name) throws IOException {
        write(name, Files.readString(CASE.resolve("base.yaml")));
        commit(".");
        write(name, Files.readString(CASE.resolve("target.yaml")));
        commit(".");
        var run = check(List.of("--git", "HEAD~1..HEAD"));

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).contains(name + FOUND.substring(FOUND.indexOf(':')));
    }

    private Run inFolders(String... options) {
        return check(List.of("old", "new"), options);
    }

    /** The same change as two commits. */
    private Run inGit() {
        commit("old");
        commit("new");
        return check(List.of("--git", "HEAD~1..HEAD"));
    }

    private void commit(String folder) {
        git("init", "-q");
        git("rm", "-q", "-r", "--cached", "--ignore-unmatch", ".");
        git("add", folder);
        git("-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-q", "-m", folder);
    }

    private Run check(List<String> sides, String... options) {
        return Run.in(
                directory,
                Stream.of(Stream.of("check"), sides.stream(), Stream.of(options))
                        .flatMap(Function.identity())
                        .toArray(String[]::new));
    }

    private void git(String... arguments) {
        var command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(List.of(arguments));
        Command.run(Map.of(), command).orFail();
    }

    private Path write(String file, String text) throws IOException {
        var path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }
}
