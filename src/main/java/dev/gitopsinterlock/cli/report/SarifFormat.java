package dev.gitopsinterlock.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.TextEdit;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.stream.Stream;

/** SARIF 2.1.0 (OASIS), as GitHub's code scanning and other viewers read it. */
final class SarifFormat {

    private SarifFormat() {}

    static void write(Report report, PrintWriter out) {
        var all = Stream.concat(report.findings().open().stream(), report.findings().ignored().stream())
                .toList();
        var codes = all.stream().map(Finding::code).distinct().toList();
        var root = JsonNodeFactory.instance.objectNode();
        root.put("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
        root.put("version", "2.1.0");
        var run = root.putArray("runs").addObject();
        var driver = run.putObject("tool").putObject("driver");
        driver.put("name", "gitops-interlock");
        driver.put("version", report.version());
        var rules = driver.putArray("rules");
        codes.forEach(code -> rule(rules.addObject(), code, all, report));
        var said = JsonNodeFactory.instance.arrayNode();
        report.unjudged().forEach(words -> said.add(notification("error", words)));
        if (!report.unrendered().isEmpty()) {
            said.add(notification("warning", report.untilRendered()));
        }
        report.hint().ifPresent(hint -> said.add(notification("note", hint)));
        if (!said.isEmpty()) {
            run.putArray("invocations")
                    .addObject()
                    .put("executionSuccessful", report.unjudged().isEmpty())
                    .set("toolExecutionNotifications", said);
        }
        run.put("columnKind", "unicodeCodePoints");
        var results = run.putArray("results");
        for (var finding : report.findings().open()) {
            result(results.addObject(), finding, codes);
        }
        for (var finding : report.findings().ignored()) {
            result(results.addObject(), finding, codes)
                    .putArray("suppressions")
                    .addObject()
                    .put("kind", "external");
        }
        out.println(Escape.json(root));
    }

    private static ObjectNode notification(String level, String text) {
        var notification = JsonNodeFactory.instance.objectNode().put("level", level);
        notification.putObject("message").put("text", text.replace("](", "] ("));
        return notification;
    }

    private static void rule(ObjectNode rule, String code, List<Finding> all, Report report) {
        var first = all.stream()
                .filter(finding -> finding.code().equals(code))
                .findFirst()
                .orElseThrow();
        rule.put("id", code);
        rule.putObject("shortDescription").put("text", code);
        rule.putObject("help").put("text", first.remedy());
        report.page(code).ifPresent(page -> rule.put("helpUri", page));
        rule.putObject("defaultConfiguration").put("level", first.severity().label());
    }

    private static ObjectNode result(ObjectNode result, Finding finding, List<String> codes) {
        result.put("ruleId", finding.code());
        result.put("ruleIndex", codes.indexOf(finding.code()));
        result.put("level", finding.severity().label());
        result.putObject("message").put("text", finding.says().replace("](", "] ("));
        var location = result.putArray("locations").addObject();
        var physical = location.putObject("physicalLocation");
        artifact(physical, finding);
        physical.putObject("region")
                .put("startLine", finding.place().line())
                .put("startColumn", finding.place().column());
        location.putArray("logicalLocations")
                .addObject()
                .put("fullyQualifiedName", finding.object().toString())
                .put("kind", "resource");
        result.putObject("partialFingerprints").put("gitopsInterlock/v1", finding.fingerprint());
        finding.fix()
                .flatMap(fix -> finding.manifest().text().with(fix))
                .ifPresent(edit -> fix(result.putArray("fixes"), finding, edit));
        return result;
    }

    private static void fix(ArrayNode fixes, Finding finding, TextEdit edit) {
        var fix = fixes.addObject();
        fix.putObject("description").put("text", finding.remedy());
        var change = fix.putArray("artifactChanges").addObject();
        artifact(change, finding);
        var replacement = change.putArray("replacements").addObject();
        replacement
                .putObject("deletedRegion")
                .put("startLine", edit.place().line())
                .put("startColumn", edit.place().column())
                .put("endLine", edit.endPlace().line())
                .put("endColumn", edit.endPlace().column());
        replacement.putObject("insertedContent").put("text", edit.text());
    }

    private static void artifact(ObjectNode parent, Finding finding) {
        parent.putObject("artifactLocation").put("uri", uri(finding.place().file()));
    }

    /** A relative one stays so: it is relative to the repository. */
    private static String uri(String file) {
        try {
            return new URI(null, null, "./" + file.replace('\\', '/'), null)
                    .toASCIIString()
                    .substring(2)
                    .replace(":", "%3A");
        } catch (URISyntaxException e) {
            return file;
        }
    }
}
