package dev.gitopsinterlock.tool;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/tools.md says of the tools. {@code -Dgolden.update=true} writes it anew, from the profiles. */
class ToolTablesTest {

    private static final Path PAGE = Path.of("docs/tools.md");

    @Test
    void requestersAreThoseOfTheProfiles() {
        var rows = Arrays.stream(Tool.values()).map(Tool::profile).map(ToolTablesTest::requester);

        GoldenFiles.compareSection(PAGE, "requesters", rows.collect(joining("\n", "\n\n", "\n")));
    }

    @Test
    void ownersAreThoseOfTheProfiles() {
        var rows = Tool.OWNERS.stream().map(Tool::profile).map(ToolTablesTest::owner);

        GoldenFiles.compareSection(PAGE, "owners", rows.collect(joining("\n", "\n\n", "\n")));
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
        var users = words(tool, Sign::user);
        var managers = words(tool, Sign::manager).map(names -> "manager " + names);
        var signs = Stream.of(users, managers).flatMap(Optional::stream).collect(joining("; "));
        return "- %s, `%s`%s"
                .formatted(
                        tool.isObserved() ? "**" + tool.title() + "**" : tool.title(),
                        tool.label(),
                        signs.isEmpty() ? "" : ": " + signs);
    }

    private static Optional<String> words(ToolProfile tool, Function<Sign, String> side) {
        return tool.signs().stream()
                .map(side)
                .filter(words -> !words.isEmpty())
                .reduce((one, more) -> one + ", " + more);
    }

    private static String owner(ToolProfile tool) {
        return "- %s: %s"
                .formatted(tool.title(), tool.ownership().orElseThrow().mark().words());
    }
}
