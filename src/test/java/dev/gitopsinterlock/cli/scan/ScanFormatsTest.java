package dev.gitopsinterlock.cli.scan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.check.ObjectId;
import dev.gitopsinterlock.check.ObjectScan;
import dev.gitopsinterlock.check.ScannedObject;
import dev.gitopsinterlock.check.ScannedObject.Advice;
import dev.gitopsinterlock.check.ScannedObject.Refusal;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tool.Tool;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Live Jobs of several tools, and what each format says of them. */
class ScanFormatsTest {

    private static final Path SAMPLE = Project.directory().resolve("src/test/resources/scan");
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @ParameterizedTest
    @EnumSource
    void saysWhatWasReviewed(ScanFormat format) {
        GoldenFiles.compare(
                SAMPLE.resolve("expected." + format.name().toLowerCase(Locale.ROOT)), written(format, sample()));
    }

    @ParameterizedTest
    @EnumSource
    void hasNoValues(ScanFormat format) {
        assertThat(written(format, sample())).doesNotContain("registry.example", "secret-name");
    }

    /** A name cannot have these; the page does not rely on it. */
    @Test
    void everythingInThePageIsEscaped() {
        var evil = "<script>&\"'";
        var job = new ScannedObject(
                new ObjectId("batch", "Job", evil, evil),
                "",
                Tool.UNKNOWN,
                Optional.of(new Refusal(evil, evil, evil)),
                List.of(new Advice(evil, evil)));
        var page = written(
                ScanFormat.HTML,
                new ScanReport(List.of(job), new TreeMap<>(Collections.singletonMap(evil, 1)), NOW, evil));

        assertThat(page).doesNotContain(evil, "<script", "&\"", "\"'").contains("&lt;script&gt;&amp;&quot;&#39;");
    }

    /** The API server's store takes no more than 1.5 MiB. */
    @Test
    void aReportTooLargeToBeStoredIsSeveral() {
        var jobs = IntStream.range(0, 1200)
                .mapToObj(i -> new ScannedObject(
                        new ObjectId("batch", "Job", "shop", "job-" + i),
                        "",
                        Tool.UNKNOWN,
                        Optional.of(new Refusal("its image changes", "JobEdit", "x".repeat(900))),
                        List.of()))
                .toList();
        var report = new ScanReport(jobs, new TreeMap<>(Collections.singletonMap("shop", 1500)), NOW, "0");
        var items = Trees.json(written(ScanFormat.OPENREPORTS, report).getBytes(UTF_8))
                .path("items");

        assertThat(items.findValuesAsText("name")).contains("gitops-interlock-scan", "gitops-interlock-scan-3");
        assertThat(items).hasSize(3).allMatch(item -> item.toString().length() < 1_500_000);
        assertThat(items.get(0).at("/summary/pass").asInt()).isEqualTo(300);
        assertThat(items.get(2).at("/summary/fail").asInt()).isEqualTo(200);
    }

    @Test
    void nothingFoundIsSaid() {
        var fine = new ScanReport(List.of(), new TreeMap<>(Collections.singletonMap("shop", 2)), NOW, "0");

        assertThat(written(ScanFormat.TEXT, fine)).isEqualTo("2 objects, 0 to look at\n");
        assertThat(written(ScanFormat.HTML, fine))
                .contains("Nothing needs to be done.")
                .doesNotContain("<nav");
    }

    private static ScanReport sample() {
        var scan = new ObjectScan(PackagedPages.withoutAddress());
        var jobs = new TreeMap<String, Integer>();
        var found = new ArrayList<ScannedObject>();
        var sample = Trees.resource("scan/jobs.yaml");
        for (var job : sample.path("items")) {
            ((ObjectNode) job).put("apiVersion", "batch/v1").put("kind", "Job").set("spec", sample.path("spec"));
            scan.of(JobKind.JOB, job).ifPresent(scanned -> {
                jobs.merge(scanned.object().namespace(), 1, Integer::sum);
                if (!scanned.isFine()) {
                    found.add(scanned);
                }
            });
        }
        return new ScanReport(found, jobs, NOW, "1.0");
    }

    private static String written(ScanFormat format, ScanReport report) {
        var text = new StringWriter();
        format.write(report, new PrintWriter(text));
        return text.toString();
    }
}
