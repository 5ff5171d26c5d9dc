package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The chart's alerts by promtool. Each has a file in src/test/resources/alerts, named as the alert: promtool's unit tests,
 * without the annotations, which are those of the rule.
 */
@RequiresTools({"helm4", "promtool"})
class AlertRulesToolsIT {

    private static final Path CASES = Project.directory().resolve("src/test/resources/alerts");

    @TempDir
    private Path folder;

    static Stream<String> alerts() {
        return AlertRules.rendered().names().stream();
    }

    @Test
    void everyAlertHasAFileAndEveryFileAnAlert() throws IOException {
        try (var files = Files.list(CASES)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")))
                    .containsExactlyInAnyOrderElementsOf(alerts().toList());
        }
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void itFiresWhenItShouldAndEnds(String alert) {
        var rules = AlertRules.rendered();
        var cases = Trees.resource("alerts/" + alert + ".yaml");
        assertThat(cases.findValues("alert_rule_test"))
                .as("cases in which it fires, and cases in which it does not")
                .allSatisfy(tests -> assertThat(tests.valueStream().map(test -> test.has("exp_alerts")))
                        .contains(true, false)
                        .last()
                        .isEqualTo(false));
        Texts.write(folder.resolve("rules.yaml"), rules.file());
        Texts.write(folder.resolve("test.yaml"), Trees.yaml(withAnnotations(cases, rules)));

        promtool("test", "rules", folder.resolve("test.yaml").toString());
    }

    /** Or they are not told apart where one Prometheus, or one person, looks at many clusters. */
    @ParameterizedTest
    @MethodSource("alerts")
    void itSaysInWhichClusterAndNamespace(String alert) {
        assertThat(Trees.resource("alerts/" + alert + ".yaml").get(0).findValues("exp_labels"))
                .isNotEmpty()
                .allSatisfy(labels ->
                        assertThat(labels.fieldNames()).toIterable().contains("cluster", "namespace", "severity"));
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void itSaysWhatPeopleNoticeAndWhereItsPageIs(String alert) {
        assertThat(AlertRules.rendered().all())
                .filteredOn(rule -> rule.path("alert").asText().equals(alert))
                .isNotEmpty()
                .allSatisfy(rule -> {
                    assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
                    assertThat(rule.at("/annotations/summary").asText()).endsWith(".");
                    assertThat(rule.at("/annotations/runbook_url").asText())
                            .isEqualTo("http://gitops-interlock.gitops-interlock.svc:9000/guidance/" + alert);
                });
        assertThat(Project.directory().resolve("docs/runbooks/" + alert + ".md"))
                .content()
                .startsWith("# " + alert + "\n")
                .containsSubsequence("\n## What it means\n", "\n## How to look\n", "\n## How to fix it\n");
    }

    @Test
    void pagesAreWhereTheValueSays() {
        assertThat(runbooks("https://wiki.example.com/runbooks/"))
                .contains("https://wiki.example.com/runbooks/GitopsInterlockNoReplica");
        assertThat(runbooks("https://wiki.example.com/find?q={alert}"))
                .contains("https://wiki.example.com/find?q=GitopsInterlockNoReplica");
    }

    /** While nobody answers, people cannot work under Fail; under Ignore they hardly notice. */
    @Test
    void anOutageIsAsSevereAsTheFailurePolicySays() {
        assertThat(severity("jobs.failurePolicy=Ignore")).isEqualTo("warning");
        assertThat(severity("jobs.failurePolicy=Fail", "acceptReadableCallerToken=true", "replacement.enabled=false"))
                .isEqualTo("critical");
    }

    @Test
    void aRolloutMayBeHeldAsLongAsTheValuesSay() {
        assertThat(expression("GitopsInterlockRolloutHeldTooLong", "machineConfigs.maxHold=30m"))
                .endsWith("> 1800");
        assertThat(expression("GitopsInterlockRolloutHeldTooLong", "machineConfigs.maxHoldRequiredPools=1h"))
                .endsWith("> 3600");
    }

    @Test
    void aShortCertificateMayComeNearerItsEnd() {
        assertThat(expires("certificates.mode=certManager", "replacement.enabled=false"))
                .endsWith("< 86400");
        assertThat(expires(
                        "certificates.mode=certManager",
                        "replacement.enabled=false",
                        "certificates.certManager.duration=24h",
                        "certificates.certManager.renewBefore=8h"))
                .endsWith("< 14400");
        assertThat(expires("certificates.selfManaged.duration=24h", "certificates.selfManaged.caDuration=72h"))
                .endsWith("< 14400");
    }

    private static List<String> runbooks(String address) {
        return AlertRules.rendered("prometheusRule.runbooks=" + address)
                .all()
                .map(rule -> rule.at("/annotations/runbook_url").asText())
                .toList();
    }

    private static String severity(String... values) {
        return rule("GitopsInterlockNoReplica", values).at("/labels/severity").asText();
    }

    private static String expires(String... values) {
        return expression("GitopsInterlockCertificateExpires", values);
    }

    private static String expression(String alert, String... values) {
        return rule(alert, values).path("expr").asText();
    }

    private static JsonNode rule(String alert, String... values) {
        return AlertRules.rendered(values)
                .all()
                .filter(rule -> rule.path("alert").asText().equals(alert))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void prometheusReadsThemAndFindsNothingOdd() {
        Texts.write(folder.resolve("rules.yaml"), AlertRules.rendered().file());

        promtool(
                "check",
                "rules",
                "--lint=all",
                "--lint-fatal",
                folder.resolve("rules.yaml").toString());
    }

    /** promtool compares all annotations of an alert; which of an alert's rules is meant its labels say. */
    private static JsonNode withAnnotations(JsonNode cases, AlertRules rules) {
        var file = Trees.JSON.createObjectNode();
        file.putArray("rule_files").add("rules.yaml");
        file.put("evaluation_interval", "1m");
        file.set("tests", cases);
        for (var test : cases.findValues("alert_rule_test")) {
            for (var at : test) {
                at.path("exp_alerts")
                        .forEach(alert -> ((ObjectNode) alert)
                                .set(
                                        "exp_annotations",
                                        rule(rules, at.path("alertname").asText(), alert.path("exp_labels"))
                                                .path("annotations")));
            }
        }
        return file;
    }

    private static JsonNode rule(AlertRules rules, String alert, JsonNode labels) {
        var all = labels.properties().stream().collect(toSet());
        return rules.all()
                .filter(rule -> rule.path("alert").asText().equals(alert))
                .filter(rule -> all.containsAll(rule.path("labels").properties()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no rule of " + alert + " has the labels " + labels));
    }

    private static void promtool(String... arguments) {
        Command.run(
                        Map.of(),
                        Stream.concat(Stream.of(Tool.program("promtool")), Stream.of(arguments))
                                .toList())
                .orFail();
    }
}
