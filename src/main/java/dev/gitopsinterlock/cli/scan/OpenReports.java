package dev.gitopsinterlock.cli.scan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.check.ObjectId;
import dev.gitopsinterlock.check.ScannedObject;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reports of {@code openreports.io/v1alpha1} as a list for {@code kubectl apply --server-side}: for each Namespace with
 * something in it one, or several where one would be too large to be stored. A Namespace in which everything is fine has one too,
 * which takes the place of the last one that said something else.
 */
final class OpenReports {

    /** The store takes objects of 1.5 MiB. */
    private static final int MOST_RESULTS = 500;

    private static final String NAME = "gitops-interlock-scan";
    private static final String SOURCE = "gitops-interlock";

    private OpenReports() {}

    static void write(ScanReport report, PrintWriter out) {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("apiVersion", "v1").put("kind", "List");
        var items = root.putArray("items");
        var byNamespace = report.found().stream()
                .collect(Collectors.groupingBy(object -> object.object().namespace()));
        for (var namespace : report.objects().entrySet()) {
            reports(namespace, byNamespace.getOrDefault(namespace.getKey(), List.of()), report)
                    .forEach(items::add);
        }
        out.println(Escape.json(root));
    }

    private static List<ObjectNode> reports(
            Map.Entry<String, Integer> namespace, List<ScannedObject> found, ScanReport report) {
        var results = found.stream()
                .flatMap(object -> results(object, report).stream())
                .toList();
        var reports = new ArrayList<ObjectNode>();
        var from = 0;
        do {
            var part = results.subList(from, Math.min(results.size(), from + MOST_RESULTS));
            var isFirst = reports.isEmpty();
            reports.add(part(
                    namespace.getKey(),
                    isFirst ? NAME : NAME + "-" + (reports.size() + 1),
                    isFirst ? namespace.getValue() - found.size() : 0,
                    part));
            from += MOST_RESULTS;
        } while (from < results.size());
        return reports;
    }

    private static ObjectNode part(String namespace, String name, int fine, List<ObjectNode> results) {
        var report = JsonNodeFactory.instance.objectNode();
        report.put("apiVersion", "openreports.io/v1alpha1").put("kind", "Report");
        report.putObject("metadata")
                .put("name", name)
                .put("namespace", namespace)
                .putObject("labels")
                .put("app.kubernetes.io/managed-by", SOURCE);
        report.put("source", SOURCE);
        report.putObject("scope")
                .put("apiVersion", "v1")
                .put("kind", "Namespace")
                .put("name", namespace);
        report.putObject("configuration")
                .putObject("limits")
                .put("maxResults", MOST_RESULTS)
                .putArray("statusFilter")
                .add("fail")
                .add("warn");
        report.putObject("summary")
                .put("pass", fine)
                .put("fail", count(results, "fail"))
                .put("warn", count(results, "warn"))
                .put("error", 0)
                .put("skip", 0);
        report.putArray("results").addAll(results);
        return report;
    }

    private static long count(List<ObjectNode> results, String result) {
        return results.stream()
                .filter(each -> each.path("result").asText().equals(result))
                .count();
    }

    private static List<ObjectNode> results(ScannedObject object, ScanReport report) {
        var results = new ArrayList<ObjectNode>();
        object.refusal()
                .ifPresent(refusal -> results.add(result(object, report, refusal.code(), "fail", "medium")
                        .put(
                                "message",
                                "Will be refused when %s, field is immutable. Then: %s"
                                        .formatted(refusal.what(), refusal.remedy()))));
        object.advice()
                .forEach(advice -> results.add(
                        result(object, report, advice.code(), "warn", "low").put("message", advice.text())));
        return results;
    }

    private static ObjectNode result(
            ScannedObject object, ScanReport report, String code, String result, String severity) {
        var node = JsonNodeFactory.instance.objectNode();
        node.put("policy", code)
                .put("category", object.object().kind() + "s")
                .put("result", result)
                .put("severity", severity)
                .put("scored", true);
        node.putObject("timestamp").put("seconds", report.at().getEpochSecond()).put("nanos", 0);
        node.putArray("resources").add(resource(object.object(), object.uid()));
        node.putObject("properties").put("tool", object.by().label());
        return node;
    }

    private static ObjectNode resource(ObjectId object, String uid) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", object.group() + (object.kind().equals("Application") ? "/v1alpha1" : "/v1"))
                .put("kind", object.kind())
                .put("namespace", object.namespace())
                .put("name", object.name())
                .put("uid", uid);
    }
}
