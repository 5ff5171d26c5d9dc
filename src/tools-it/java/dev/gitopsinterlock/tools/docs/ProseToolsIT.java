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
import org.junit.jupiter.api.Test;

/**
 * The prose of the docs by Vale, with the words in .vale/styles. Not what decisions said when they were made, nor what
 * tools said in the stories.
 */
@RequiresTools("vale")
class ProseToolsIT {

    private static final List<String> FOLDERS =
            List.of("docs", "examples", "certs", "deploy", "helm", "testbed", "src");

    @Test
    void proseUsesPlainWordsAndTheTermsOfTheField() throws IOException {
        var pages = new ArrayList<>(
                List.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "GOVERNANCE.md", "CHANGELOG.md"));
        for (var folder : FOLDERS) {
            pages.addAll(pagesIn(folder));
        }
        assertThat(pages).hasSizeGreaterThan(50);
        var command = new ArrayList<>(
                List.of(Tool.program("vale"), "--config=" + Project.directory().resolve(".vale.ini"), "--output=line"));
        pages.forEach(page -> command.add(Project.directory().resolve(page).toString()));

        var answer = Command.run(Map.of(), command);

        assertThat(answer.out()).isEmpty();
        answer.orFail();
    }

    private static List<String> pagesIn(String folder) throws IOException {
        try (var files = Files.walk(Project.directory().resolve(folder))) {
            return files.map(file -> Project.directory().relativize(file))
                    .filter(ProseToolsIT::isPage)
                    .map(Path::toString)
                    .sorted()
                    .toList();
        }
    }

    private static boolean isPage(Path file) {
        var name = file.toString();
        return (name.endsWith(".md") || name.endsWith(".md.gotmpl"))
                && !file.startsWith("docs/decisions")
                && !name.equals("docs/scenarios.md");
    }
}
