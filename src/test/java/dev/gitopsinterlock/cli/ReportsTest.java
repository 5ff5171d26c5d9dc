package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each format, of a change with an error, a warning, a note and an exception. */
class ReportsTest {

    private static final Path SAMPLE = Project.directory().resolve("src/test/resources/check-formats");
    private static final Path CASE = Project.directory().resolve("src/test/resources/check/argocd");

    @ParameterizedTest
    @ValueSource(strings = {"text", "json", "sarif", "junit", "github", "markdown"})
    void saysWhatWasReviewed(String format) {
        var run = Run.in(
                SAMPLE,
                "check",
                "old",
                "new",
                "-o",
                format,
                "--guidance-pages",
                "https://docs.example/guidance/{code}.html");

        assertThat(run.errors()).isEmpty();
        assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
        GoldenFiles.compare(
                SAMPLE.resolve("expected." + format),
                run.out().replaceFirst("\"version\" : \"0[^\"]+\"", "\"version\" : \"0\""));
    }

    /** A report may be read by more people than the manifest. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "sarif", "junit", "github", "markdown"})
    void hasNoValues(String format) {
        var run = Run.in(SAMPLE, "check", "old", "new", "-o", format);

        assertThat(run.out()).doesNotContain("hunter2", "hunter3", "registry.example");
    }

    /** Whoever reads the report alone must not take it for a success. */
    @ParameterizedTest
    @ValueSource(strings = {"json", "sarif", "junit", "github", "markdown"})
    void namesWhatWasNotJudged(String format, @TempDir Path directory) throws IOException {
        for (var side : List.of("old", "new")) {
            var folder = Files.createDirectory(directory.resolve(side));
            Files.writeString(folder.resolve("kustomization.yaml"), "kind: Kustomization # " + side);
            Files.writeString(folder.resolve("broken.yaml"), "kind: Job\nmetadata: [\n");
            Files.copy(CASE.resolve(side.equals("old") ? "base.yaml" : "target.yaml"), folder.resolve("job.yaml"));
        }
        var run = Run.in(directory, "check", "old", "new", "-o", format);

        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(run.out().replace("\\", "")).contains("new/broken.yaml:3:1: ", "new/kustomization.yaml");
    }

    /** The sentences are on the standard error, where a file has none of them. */
    @Test
    void textCountsWhatCouldNotBeJudged(@TempDir Path directory) throws IOException {
        for (var side : List.of("old", "new")) {
            var folder = Files.createDirectory(directory.resolve(side));
            Files.copy(CASE.resolve(side.equals("old") ? "base.yaml" : "target.yaml"), folder.resolve("job.yaml"));
        }
        Files.writeString(directory.resolve("new/broken.yaml"), "kind: Job\nmetadata: [\n");

        assertThat(Run.in(directory, "check", "old", "new").out()).endsWith("; could not be judged: 1\n");
    }

    @ParameterizedTest
    @CsvSource({"error,1", "warning,1", "note,1"})
    void theSeverityThatFailsIsChosen(String severity, int code) {
        assertThat(Run.in(SAMPLE, "check", "old", "new", "--fail-on", severity).code())
                .isEqualTo(code);
    }

    @Test
    void aNoteFailsOnlyWhereItIsAskedFor() {
        var folder = Project.directory().resolve("src/test/resources/check/replaced-by-us");

        assertThat(Run.in(folder, "check", "base.yaml", "target.yaml").code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(Run.in(folder, "check", "base.yaml", "target.yaml", "--fail-on", "note")
                        .code())
                .isEqualTo(ExitCode.FINDINGS);
    }

    @Test
    void whatABaselineListsIsIgnored(@TempDir Path directory) {
        var file = directory.resolve("baseline.txt").toString();
        var written = Run.in(SAMPLE, "check", "old", "new", "--write-baseline", file);
        var ignored = Run.in(SAMPLE, "check", "old", "new", "--baseline", file);

        assertThat(written.code()).isEqualTo(ExitCode.FINDINGS);
        assertThat(ignored.code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(ignored.out()).contains("nothing found, 5 ignored");
    }

    @Test
    void aReportGoesIntoAFile(@TempDir Path directory) throws IOException {
        var file = directory.resolve("report.sarif");
        var run = Run.in(SAMPLE, "check", "old", "new", "-o", "sarif", "--output-file", file.toString());

        assertThat(run.out()).isEmpty();
        assertThat(run.errors()).contains("findings");
        assertThat(Files.readString(file)).contains("\"2.1.0\"");
    }
}
