package dev.gitopsinterlock.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** What {@code path.Match} of Go 1.26 has answered for random patterns and paths. */
class PathPatternTest {

    @Test
    void matchesWhatGoMatches() throws IOException {
        var answers = Files.readAllLines(Project.directory().resolve("src/test/resources/argocd/path-match.tsv"));

        assertThat(answers).hasSize(1400).allSatisfy(answer -> {
            var facts = answer.split("\t", -1);
            assertThat(PathPattern.matches(facts[1], facts[2])).as(answer).isEqualTo(facts[0].equals("true"));
        });
    }
}
