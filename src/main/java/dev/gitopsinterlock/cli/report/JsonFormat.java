package dev.gitopsinterlock.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Our own format: {@code docs/check.md} describes it. */
final class JsonFormat implements ReportFormat {

    private static final int VERSION = 1;

    @Override
    public void write(Report report, PrintWriter out) {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("version", VERSION);
        root.put(
                "objects",
                report.objects().values().stream().mapToInt(Integer::intValue).sum());
        var kinds = root.putObject("kinds");
        report.objects().forEach(kinds::put);
        var findings = root.putArray("findings");
        report.findings().open().forEach(finding -> findings.add(finding(finding, report)));
        root.put("ignored", report.findings().ignored().size());
        var templates = root.putArray("templates");
        report.unrendered().forEach(templates::add);
        strings(root, "notJudged", report.unjudged());
        report.hint().ifPresent(hint -> root.put("hint", hint));
        print(root, out);
    }

    private static ObjectNode finding(Finding finding, Report report) {
        var object = JsonNodeFactory.instance.objectNode();
        object.put("severity", finding.severity().name().toLowerCase(Locale.ROOT));
        object.put("code", finding.code());
        var id = object.putObject("object");
        id.put("kind", finding.object().kind());
        id.put("namespace", finding.object().namespace());
        id.put("name", finding.object().name());
        object.put("tool", finding.tool());
        strings(object, "fields", finding.fields());
        object.put("message", finding.message());
        object.put("remedy", finding.remedy());
        if (report.pages().address().isPresent() && report.pages().remedies().containsKey(finding.code())) {
            object.put("page", report.pages().of(finding.code()));
        }
        var place = object.putObject("place");
        place.put("file", finding.place().file());
        place.put("line", finding.place().line());
        place.put("column", finding.place().column());
        finding.source().ifPresent(template -> object.put("template", template));
        finding.fix()
                .ifPresent(fix -> object.putObject("fix")
                        .put("annotation", fix.annotation())
                        .put("value", fix.value()));
        object.put("fingerprint", finding.fingerprint());
        return object;
    }

    static void strings(ObjectNode object, String name, List<String> values) {
        var list = object.putArray(name);
        values.forEach(list::add);
    }

    static void print(JsonNode root, PrintWriter out) {
        out.println(Escape.json(root));
    }
}
