package dev.gitopsinterlock.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The workflows of .github and that of the examples, by actionlint; nobody runs them on GitHub here. */
@RequiresTools("actionlint")
class WorkflowsToolsIT {

    private static final Path FOLDER = Project.directory().resolve(".github/workflows");
    private static final Path EXAMPLE = Project.directory().resolve("examples/ci/github-actions.yml");

    @Test
    void workflowsAreValid() throws IOException {
        var command = new ArrayList<>(List.of(Tool.program("actionlint"), "-no-color", "-oneline"));
        workflows().forEach(workflow -> command.add(workflow.toString()));

        var answer = Command.run(Map.of(), command);

        assertThat(answer.out()).isEmpty();
        answer.orFail();
    }

    /** A tag can be moved to other code; a commit cannot. */
    @Test
    void everyActionIsPinnedToACommit() throws IOException {
        var pinned = Pattern.compile(".*uses: [\\w./-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+");
        assertThat(workflows()).isNotEmpty();
        for (var workflow : workflows()) {
            assertThat(Files.readAllLines(workflow))
                    .filteredOn(line -> line.contains("uses:"))
                    .isNotEmpty()
                    .allMatch(pinned.asMatchPredicate());
        }
    }

    private static List<Path> workflows() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return Stream.concat(files.sorted(), Stream.of(EXAMPLE)).toList();
        }
    }
}
