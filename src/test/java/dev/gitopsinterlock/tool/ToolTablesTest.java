package dev.gitopsinterlock.tool;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What README.md and docs/tools.md say of the tools. {@code -Dgolden.update=true} writes it anew, from the profiles. */
class ToolTablesTest {

    private static final Path PAGE = Path.of("docs/tools.md");

    @Test
    void readmeNamesAllTools() {
        var titles = Arrays.stream(Tool.values()).map(tool -> tool.profile().title());

        GoldenFiles.compareSection(Path.of("README.md"), "tools", titles.collect(joining(", ")));
    }

    @Test
    void requestersAreThoseOfTheProfiles() {
        var rows = Arrays.stream(Tool.values()).map(Tool::profile).map(ToolTablesTest::requester);

        GoldenFiles.compareSection(PAGE, "requesters", """

                | tool | in metrics | user | field manager | known from | advice |
                |---|---|---|---|---|---|
                %s
                """.formatted(rows.collect(joining("\n"))));
    }

    @Test
    void ownersAreThoseOfTheProfiles() {
        var rows = Tool.OWNERS.stream().map(Tool::profile).map(ToolTablesTest::owner);

        GoldenFiles.compareSection(PAGE, "owners", """

                | tool | mark | advice for everybody else |
                |---|---|---|
                %s
                """.formatted(rows.collect(joining("\n"))));
    }

    @Test
    void nobodyOwnsWithoutBeingAsked() {
        var marks = Tool.OWNERS.stream().map(tool -> tool.profile().ownership());

        assertThat(marks)
                .containsAll(Arrays.stream(Tool.values())
                        .map(tool -> tool.profile().ownership())
                        .filter(ownership -> ownership.isPresent())
                        .toList());
    }

    private static String requester(ToolProfile tool) {
        return "| %s | `%s` | %s | %s | %s | %s |"
                .formatted(
                        tool.title(),
                        tool.label(),
                        words(tool, Sign::user, "; "),
                        words(tool, Sign::manager, ", "),
                        tool.isObserved() ? "tests" : tool.signs().isEmpty() ? "" : "source",
                        links(tool.codes()));
    }

    private static String owner(ToolProfile tool) {
        var ownership = tool.ownership().orElseThrow();
        return "| %s | %s | %s |".formatted(tool.title(), ownership.mark().words(), links(List.of(ownership.advice())));
    }

    private static String words(ToolProfile tool, Function<Sign, String> side, String between) {
        return tool.signs().stream().map(side).filter(words -> !words.isEmpty()).collect(joining(between));
    }

    private static String links(List<GuidanceCode> codes) {
        return codes.stream()
                .map(GuidanceCode::token)
                .map(token -> "[%s](guidance/%s.md)".formatted(token, token))
                .collect(joining(", "));
    }
}
