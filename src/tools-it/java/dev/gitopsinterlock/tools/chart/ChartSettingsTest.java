package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.chart.ChartFiles;
import dev.gitopsinterlock.build.chart.SettingValue;
import dev.gitopsinterlock.config.InterlockConfig;
import dev.gitopsinterlock.config.Setting;
import dev.gitopsinterlock.testing.text.Trees;
import io.quarkus.runtime.configuration.DurationConverter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The chart sets every setting of the service, and has the same default. */
class ChartSettingsTest {

    private static final String TEMPLATE = ChartFiles.text("templates/_settings.tpl");

    private static final String ONE_OF = "must be one of ";

    /** What the chart sets: {@code (list "REPLACEMENT_ENABLED" .replacement)}, or the whole name and then where it is from. */
    private static final Pattern VARIABLE =
            Pattern.compile("\\(list \"([A-Z_]+)\" (.+)|- name: GITOPS_INTERLOCK_([A-Z_]+)\n");

    private static final Pattern LONGEST = Pattern.compile("(?m)^([A-Za-z.]+): ([0-9]+[smh])$");

    /** Values that say the same in other words. */
    private static final Map<String, String> OTHER_WORDS = Map.of(
            // the chart adds kube-system and the release's Namespace
            "jobs.exempt-namespaces=", "kube-system,gitops-interlock");

    @Test
    void theChartsDefaultsAreThose() {
        assertThat(InterlockConfig.ALL)
                .filteredOn(setting -> !SettingValue.name(setting).isEmpty())
                .allSatisfy(setting -> assertThat(given(setting)).isEqualTo(setting.byDefault()));
    }

    /** Helm refuses others before the service does. Whoever disables a hold sets {@code enabled: false} instead. */
    @Test
    void theSchemaHasTheWordsOfTheService() {
        var schema = Trees.json(ChartFiles.text("values.schema.json"));

        assertThat(InterlockConfig.ALL)
                .filteredOn(setting -> setting.type().rule().startsWith(ONE_OF))
                .allSatisfy(setting -> {
                    var words = new TreeSet<>(List.of(
                            setting.type().rule().substring(ONE_OF.length()).split(", ")));
                    if (setting.name().equals("machine-configs.sync-hold")) {
                        words.remove("Disabled");
                    }
                    var value = schema.at(
                            "/properties/" + SettingValue.name(setting).replace(".", "/properties/"));
                    assertThat(value.path("enum").valueStream().map(JsonNode::asText))
                            .containsExactlyInAnyOrderElementsOf(words);
                });
    }

    @Test
    void theChartSetsEverySettingAndNothingElse() {
        var set = VARIABLE.matcher(TEMPLATE)
                .results()
                .map(line -> "GITOPS_INTERLOCK_" + (line.group(1) == null ? line.group(3) : line.group(1)))
                .collect(toCollection(TreeSet::new));

        assertThat(set)
                .containsExactlyInAnyOrderElementsOf(
                        InterlockConfig.ALL.stream().map(Setting::variable).toList());
    }

    /** But for those of a mode that is not the default; the golden is what Helm makes of the chart. */
    @Test
    void theChartRendersTheDefaults() {
        var rendered = ChartFiles.projectText("src/test/resources/chart/default.yaml");

        assertThat(InterlockConfig.ALL)
                .filteredOn(setting ->
                        !setting.byDefault().isEmpty() && !setting.name().contains(".self-managed."))
                .allSatisfy(setting -> assertThat(rendered)
                        .contains("- name: %s\n              value: \"%s\"\n"
                                .formatted(setting.variable(), setting.byDefault())));
    }

    /** A sentence of Helm's is better than Pods that do not start. */
    @Test
    void theChartRefusesDurationsThatTheServiceRefuses() {
        var longest = LONGEST.matcher(TEMPLATE).results().collect(toMap(line -> line.group(1), line -> line.group(2)));
        var durations = InterlockConfig.ALL.stream()
                .filter(setting -> setting.type().rule().contains("duration"))
                .toList();

        assertThat(longest.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        durations.stream().map(SettingValue::name).toList());
        assertThat(durations).allSatisfy(setting -> {
            var limit = Objects.requireNonNull(longest.get(SettingValue.name(setting)));
            assertThat(setting.type().accepts(limit)).isTrue();
            assertThat(setting.type()
                            .accepts(DurationConverter.parseDuration(limit).toMillis() + 1 + "ms"))
                    .isFalse();
        });
    }

    private static String given(Setting<?> setting) {
        var value = ChartFiles.values().at("/" + SettingValue.name(setting).replace('.', '/'));
        assertThat(value.isMissingNode()).as(SettingValue.name(setting)).isFalse();
        var word = value.isArray() ? value.valueStream().map(JsonNode::asText).collect(joining(",")) : value.asText();
        return OTHER_WORDS.getOrDefault(setting.name() + "=" + word, word);
    }
}
