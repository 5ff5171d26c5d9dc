package dev.gitopsinterlock.cli.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;

/** Our own format: {@code docs/check.md} describes it. */
final class JsonFormat {

    private static final int VERSION = 1;

    private JsonFormat() {}

    static void write(Report report, PrintWriter out) {
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
        var notJudged = root.putArray("notJudged");
        report.unjudged().forEach(notJudged::add);
        report.hint().ifPresent(hint -> root.put("hint", hint));
        out.println(Escape.json(root));
    }

    private static ObjectNode finding(Finding finding, Report report) {
        var object = JsonNodeFactory.instance.objectNode();
        object.put("severity", finding.severity().label());
        object.put("code", finding.code());
        var id = object.putObject("object");
        id.put("kind", finding.object().kind());
        id.put("namespace", finding.object().namespace());
        id.put("name", finding.object().name());
        object.put("tool", finding.tool());
        var fields = object.putArray("fields");
        finding.fields().forEach(fields::add);
        object.put("message", finding.message());
        object.put("remedy", finding.remedy());
        report.page(finding.code()).ifPresent(page -> object.put("page", page));
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
}
