package dev.gitopsinterlock.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code make help} lists every target, each with a sentence. */
class MakeHelpTest {

    private static final Pattern TARGET = Pattern.compile("^([a-z][\\w-]*):(?!=)", Pattern.MULTILINE);

    @Test
    void everyTargetIsListed() throws IOException {
        var makefile = Files.readString(Project.directory().resolve("Makefile"));
        var targets = TARGET.matcher(makefile)
                .results()
                .map(target -> target.group(1))
                .toList();

        var help = Command.run(
                        Map.of(),
                        List.of(
                                "make",
                                "-s",
                                "--no-print-directory",
                                "-C",
                                Project.directory().toString(),
                                "help"))
                .orFail();

        assertThat(help.out().lines()).allMatch(line -> line.matches("\\S+ +\\S.*"));
        assertThat(help.out().lines().map(line -> line.split(" ", 2)[0])).containsExactlyElementsOf(targets);
    }
}
