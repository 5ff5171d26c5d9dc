package dev.gitopsinterlock.tools.chart;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The alerts as the chart renders them, each with what Prometheus reads of a rule.
 *
 * @param groups of the PrometheusRule, which is what a file of rules has, too
 */
record AlertRules(JsonNode groups) {

    /** With everything on that has an alert. */
    static final List<String> ALL =
            List.of("prometheusRule.enabled=true", "certificates.mode=selfManaged", "replacement.enabled=true");

    /** With values as {@code --set} takes them, beside {@link #ALL}. */
    static AlertRules rendered(String... values) {
        var all = new ArrayList<>(ALL);
        all.addAll(List.of(values));
        return new AlertRules(Rendering.of(all.toArray(String[]::new))
                .object("PrometheusRule")
                .at("/spec/groups"));
    }

    /** A file that promtool and Prometheus read. */
    String file() {
        return Trees.yaml(Trees.JSON.createObjectNode().set("groups", groups));
    }

    /** Without what is recorded for them. */
    Stream<JsonNode> all() {
        return groups.valueStream()
                .flatMap(group -> group.path("rules").valueStream())
                .filter(rule -> rule.has("alert"));
    }

    /** In the order of the chart; an alert can have several rules. */
    List<String> names() {
        return all().map(rule -> rule.path("alert").asText()).distinct().toList();
    }
}
