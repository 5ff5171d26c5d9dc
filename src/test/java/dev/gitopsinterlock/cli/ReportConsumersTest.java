package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.contrastsecurity.sarif.SarifSchema210;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.plugin.surefire.log.api.NullConsoleLogger;
import org.apache.maven.plugins.surefire.report.ReportTestCase;
import org.apache.maven.plugins.surefire.report.ReportTestSuite;
import org.apache.maven.plugins.surefire.report.SurefireReportParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reports of all cases, read by programs that other people wrote. */
class ReportConsumersTest {

    private static final Path SAMPLE = Project.directory().resolve("src/test/resources/check-formats");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** That of OASIS, as this library has it. */
    private static final JsonSchema SARIF = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
            .getSchema(SarifSchema210.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json"));

    /** A run, for the sake of its name. */
    record Report(String name, Run run) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Report> sarif() throws IOException {
        return reports("sarif");
    }

    @ParameterizedTest
    @MethodSource
    void sarif(Report report) throws IOException {
        var text = report.run().out();

        assertThat(SARIF.validate(JSON.readTree(text))).isEmpty();
        var results =
                JSON.readValue(text, SarifSchema210.class).getRuns().getFirst().getResults();
        assertThat(results).allSatisfy(result -> {
            var place = result.getLocations().getFirst().getPhysicalLocation();
            assertThat(place.getArtifactLocation().getUri()).isNotEmpty();
            assertThat(place.getRegion().getStartLine()).isPositive();
        });
    }

    /** The schema says no where there is something wrong. */
    @Test
    void whatIsNoSarifIsSeen() throws IOException {
        var text = sample("old", "sarif").out();

        assertThat(SARIF.validate(JSON.readTree(text.replace("\"error\"", "\"fatal\""))))
                .isNotEmpty();
        assertThat(SARIF.validate(JSON.readTree(text.replace("\"startLine\" : 14", "\"startLine\" : 0"))))
                .isNotEmpty();
    }

    static Stream<Report> junit() throws IOException {
        return reports("junit");
    }

    /** By Maven's own reader. */
    @ParameterizedTest
    @MethodSource
    void junit(Report report, @TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("TEST-check.xml"), report.run().out());
        var suite = read(folder);

        assertThat(suite.getTestCases()).hasSize(suite.getNumberOfTests()).isNotEmpty();
        assertThat(suite.getNumberOfFailures() > 0).isEqualTo(report.run().code() == ExitCode.FINDINGS);
        assertThat(suite.getTestCases().stream().filter(ReportTestCase::hasFailure))
                .hasSize(suite.getNumberOfFailures())
                .allSatisfy(failure -> {
                    assertThat(failure.getFailureMessage()).isNotEmpty();
                    assertThat(failure.getFailureDetail()).contains(failure.getFailureMessage());
                    assertThat(failure.getFailureType()).matches("[A-Z][A-Za-z]+");
                });
    }

    @Test
    void junitHasWhatAPersonLooksFor(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("TEST-check.xml"), sample("old", "junit").out());
        var first = read(folder).getTestCases().getFirst();

        assertThat(first.getName()).isEqualTo("Job shop/migrate ArgoCdJobEdit");
        assertThat(first.getFailureType()).isEqualTo("ArgoCdJobEdit");
        assertThat(first.getFailureDetail()).startsWith("new/a b/jobs.yaml:14:11: Argo CD will fail");
    }

    private static ReportTestSuite read(Path folder) {
        var suites = new SurefireReportParser(List.of(folder.toFile()), new NullConsoleLogger()).parseXMLReportFiles();
        assertThat(suites).hasSize(1);
        return suites.getFirst();
    }

    private static Stream<Report> reports(String format) throws IOException {
        var reports = new ArrayList<Report>();
        for (var name : CheckCasesTest.cases()) {
            reports.add(new Report(name, CheckCasesTest.run(name, List.of("-o", format))));
        }
        reports.add(new Report("all severities", sample("old", format)));
        reports.add(new Report(
                "with links", sample("old", format, "--guidance-pages", "https://docs.example/guidance/{code}.html")));
        reports.add(new Report("nothing", sample("new", format)));
        reports.add(new Report(
                "not judged", Run.withInput("kind: Job\nmetadata: [\n", SAMPLE, "check", "old", "-", "-o", format)));
        return reports.stream();
    }

    private static Run sample(String base, String format, String... others) {
        var arguments = new ArrayList<>(List.of("check", base, "new", "-o", format));
        arguments.addAll(List.of(others));
        return Run.in(SAMPLE, arguments.toArray(String[]::new));
    }
}
