package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.chart.ChartFiles;
import io.quarkus.runtime.configuration.DurationConverter;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every setting of the service is documented and set by the chart, and has the same default everywhere. */
class ChartSettingsTest {

    private static final String TEMPLATE = ChartFiles.text("templates/_settings.tpl");

    /** Rows of the documentation's table. */
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `gitops-interlock\\.([a-z.-]+)` \\| (.+?) \\| .+ \\|$");

    /** What the chart sets: {@code (list "JOBS_CARRY_OUT" .carryOut)}, or the whole name and then where it is from. */
    private static final Pattern VARIABLE =
            Pattern.compile("\\(list \"([A-Z_]+)\" (.+)|- name: GITOPS_INTERLOCK_([A-Z_]+)\n");

    private static final Pattern LONGEST = Pattern.compile("(?m)^([A-Za-z.]+): ([0-9]+[smh])$");

    /** Values that have another name than their setting; empty: the chart knows itself. */
    private static final Map<String, String> OTHER_NAMES = Map.of(
            "certificate.directory", "",
            "certificate.self-managed.secret", "",
            "certificate.self-managed.hosts", "",
            "certificate.self-managed.webhook-configurations", "",
            "client-certificates.ca-file", "clientCertificates.ca",
            // not given unless upgradePlans.enabled
            "upgrade-plans.controller", "");

    /** Values that say the same in other words. */
    private static final Map<String, String> OTHER_WORDS = Map.of(
            // the chart adds kube-system and the release's Namespace
            "jobs.exempt-namespaces=", "kube-system,gitops-interlock");

    @Test
    void everySettingIsDocumentedWithItsDefault() {
        var documented = new TreeMap<String, Optional<String>>();
        ROW.matcher(ChartFiles.projectText("docs/configuration.md"))
                .results()
                .forEach(row -> documented.put(row.group(1), defaultIn(row)));

        assertThat(documented).isEqualTo(ServiceSettings.defaults());
    }

    private static Optional<String> defaultIn(MatchResult row) {
        return Optional.of(row.group(2).replace("`", "").replace("<br>", "")).filter(word -> !word.equals("not set"));
    }

    @Test
    void theChartsDefaultsAreThose() {
        assertThat(ServiceSettings.defaults()).allSatisfy((property, word) -> {
            if (!value(property).isEmpty()) {
                assertThat(given(property)).isEqualTo(word.orElse(""));
            }
        });
    }

    @Test
    void theChartSetsEverySettingAndNothingElse() {
        var set = VARIABLE.matcher(TEMPLATE)
                .results()
                .map(line -> "GITOPS_INTERLOCK_" + (line.group(1) == null ? line.group(3) : line.group(1)))
                .collect(toCollection(TreeSet::new));

        assertThat(set)
                .containsExactlyInAnyOrderElementsOf(ServiceSettings.defaults().keySet().stream()
                        .map(ServiceSettings::variable)
                        .toList());
    }

    /** Those that are rendered by default; the golden is what Helm makes of the chart. */
    @Test
    void theChartRendersTheDefaults() {
        var rendered = ChartFiles.projectText("src/test/resources/chart/default.yaml");

        assertThat(ServiceSettings.variablesOfDefaults())
                .allSatisfy((name, word) -> assertThat(rendered)
                        .contains("- name: %s\n              value: \"%s\"\n".formatted(name, word)));
    }

    /** A sentence of Helm's is better than Pods that do not start. */
    @Test
    void theChartRefusesDurationsThatTheServiceRefuses() {
        var longest = LONGEST.matcher(TEMPLATE).results().collect(toMap(line -> line.group(1), line -> line.group(2)));
        var durations = ServiceSettings.durations();

        assertThat(longest.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        durations.stream().map(ChartSettingsTest::value).toList());
        assertThat(durations).allSatisfy(property -> {
            var limit = Objects.requireNonNull(longest.get(value(property)));
            assertThat(ServiceSettings.accepts(property, limit)).isTrue();
            assertThat(ServiceSettings.accepts(
                            property, DurationConverter.parseDuration(limit).toMillis() + 1 + "ms"))
                    .isFalse();
        });
    }

    /** The value behind a setting: {@code jobs.carryOut} behind {@code jobs.carry-out}. */
    private static String value(String property) {
        return OTHER_NAMES.getOrDefault(
                property,
                Pattern.compile("-([a-z])")
                        .matcher(property.replaceFirst("^certificate\\.", "certificates."))
                        .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT)));
    }

    private static String given(String property) {
        var value = ChartFiles.values().at("/" + value(property).replace('.', '/'));
        assertThat(value.isMissingNode()).as(value(property)).isFalse();
        var word = value.isArray() ? value.valueStream().map(JsonNode::asText).collect(joining(",")) : value.asText();
        return OTHER_WORDS.getOrDefault(property + "=" + word, word);
    }
}
