package dev.gitopsinterlock.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.cli.cluster.CannedCluster;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clusters at noon, and what is said of them. */
class StatusCasesTest {

    private static final Path CASES = Project.directory().resolve("src/test/resources/status");
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    /** A file has all of it, as the cases show. */
    @Test
    void longLinesAreCutOnATerminal(@TempDir Path folder) throws IOException, Unreadable {
        var pages = PackagedPages.withoutAddress();
        var cluster = CannedCluster.in(folder, Trees.resource("status/busy/cluster.yaml"));
        var text = new StringWriter();

        StatusFormat.TEXT.write(
                StatusReader.read(cluster, Optional.empty(), pages, NOON), pages, true, new PrintWriter(text));

        assertThat(text.toString().lines().filter(line -> line.startsWith("  10:00 replaced")))
                .singleElement()
                .matches(line -> line.length() == 140 && line.endsWith("..."));
    }

    @ParameterizedTest
    @CsvSource({
        "announced, true",
        "break-glass, false",
        "busy, true",
        "forgotten, true",
        "quiet, false",
        "few-rights, false",
        "not-installed, false",
        "observe, false",
        "marked-jobs, true",
        "plans, true",
        "plans-jobs, true"
    })
    void saysWhatWasReviewed(String name, boolean needsSomebody, @TempDir Path folder) throws IOException, Unreadable {
        var pages = PackagedPages.withoutAddress();
        var cluster = CannedCluster.in(folder, Trees.resource("status/" + name + "/cluster.yaml"));

        var status = StatusReader.read(cluster, Optional.empty(), pages, NOON);

        assertThat(status.needsSomebody()).isEqualTo(needsSomebody);
        for (var format : StatusFormat.values()) {
            var text = new StringWriter();
            format.write(status, pages, false, new PrintWriter(text));
            assertThat(text.toString()).doesNotContain("secret", "rm -rf", "\u001b");
            GoldenFiles.compare(
                    CASES.resolve(name).resolve("expected." + format.name().toLowerCase(Locale.ROOT)), text.toString());
        }
    }
}
