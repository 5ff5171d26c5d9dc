package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.cli.output.TextPage;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** Pages as people read them, and the topics that several lead to. */
class ExplainCasesTest {

    private static final Path GOLDENS = Project.directory().resolve("src/test/resources/explain");
    private static final Pattern TOPIC = Pattern.compile("]\\(README\\.md#([^)]*)\\)");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ArgoCdJobEdit",
                "NewJobRefused",
                "PersistentVolumeEdit",
                "RolloutHeld",
                "SuspendedHook",
                "unknownkey",
                "safe to run again",
                "somebody else's chart",
                "What cannot change"
            })
    void showsAPage(String words) {
        GoldenFiles.compare(golden(words), explain(Ansi.OFF, words));
    }

    @Test
    void marksWhatStandsOutWhereThereAreColours() {
        GoldenFiles.compare(golden("NewJobRefused in colours"), explain(Ansi.ON, "NewJobRefused"));
    }

    @Test
    void listsAll() {
        GoldenFiles.compare(golden("all"), explain(Ansi.OFF));
    }

    static Stream<String> pages() {
        return Stream.of(
                        PackagedPages.codes(),
                        PackagedPages.warnings().keySet(),
                        PackagedPages.topics().keySet())
                .flatMap(Collection::stream);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void noPageHasMarkupOrLongLines(String page) {
        var prose = explain(Ansi.OFF, page).lines().filter(line -> !line.startsWith("    "));

        assertThat(prose).allSatisfy(line -> {
            assertThat(line).doesNotContain("](", "**", "```", "|--", ".md)").doesNotStartWith("#");
            var isOneCommand = !line.strip().replaceAll("`[^`]*`", "").contains(" ");
            assertThat(line).hasSizeLessThanOrEqualTo(isOneCommand ? line.length() : 100);
        });
    }

    @Test
    void everyTopicThatAPageLeadsToIsKnown() {
        var led = PackagedPages.codes().stream()
                .map(code -> PackagedPages.text(code).orElseThrow())
                .flatMap(text -> TOPIC.matcher(text).results())
                .map((MatchResult link) -> link.group(1));

        assertThat(led).isNotEmpty().allMatch(PackagedPages.topics()::containsKey);
    }

    @Test
    void fitsANarrowTerminal() {
        var page = new TextPage(40, text -> "\u001b[1m" + text + "\u001b[0m", TextPage.Link::text).of("""
                ## What to do
                - **Some words that are long**: `a command that is never broken, however long`.
                - See [the other page](Other.md) for more.

                | a | what helps there |
                |---|---|
                | 1 | several words that do not fit into it |
                """);

        assertThat(page.lines())
                .containsExactly(
                        "\u001b[1mWhat to do\u001b[0m",
                        "- \u001b[1mSome words that are long\u001b[0m:",
                        "  `a command that is never broken, however long`.",
                        "- See the other page for more.",
                        "",
                        "a  what helps there",
                        "-  -------------------------------------",
                        "1  several words that do not fit into it");
    }

    /** A part of two names is none. */
    @ParameterizedTest
    @ValueSource(strings = {"name", "-", "nothing of that"})
    void takesNoTopicForAnother(String words) {
        assertThat(Run.in(Path.of(""), "explain", words).errors())
                .startsWith("there is no code or topic " + words + "; gitops-interlock explain lists them all");
    }

    private static String explain(Ansi ansi, String... words) {
        var out = new StringWriter();
        var line = Interlock.commandLine().setColorScheme(Help.defaultColorScheme(ansi));
        line.setOut(new PrintWriter(out));
        line.execute(Stream.concat(Stream.of("explain"), Stream.of(words)).toArray(String[]::new));
        return out.toString();
    }

    private static Path golden(String words) {
        return GOLDENS.resolve(words.replaceAll("[^A-Za-z]+", "-") + ".txt");
    }
}
