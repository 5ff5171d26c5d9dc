package dev.gitopsinterlock.tools.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.chart.ChartFiles;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Texts;
import dev.gitopsinterlock.testing.text.Trees;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chart's dashboard is what testbed/dashboard makes by Grafana's foundation SDK; {@code -Dgolden.update=true} writes it
 * anew. No Grafana shows it here.
 */
@RequiresTools({"helm4", "dashboard", "promtool"})
class DashboardToolsIT {

    private static final String FILE = "dashboards/gitops-interlock.json";

    @Test
    void itIsMadeByCode() {
        var made = Command.run(Map.of(), List.of(Tool.program("dashboard"))).orFail();

        GoldenFiles.compare(ChartFiles.FOLDER.resolve(FILE), made.out(), "make scenarios");
    }

    @Test
    void prometheusUnderstandsEveryExpression(@TempDir Path folder) {
        var rules = Trees.JSON.createObjectNode();
        var group = rules.putArray("groups").addObject().put("name", "dashboard");
        var records = group.putArray("rules");
        var expressions = expressions();
        expressions.forEach(expression -> records.addObject()
                .put("record", "dashboard:expression" + records.size())
                .put("expr", asGrafanaFillsItIn(expression)));
        Texts.write(folder.resolve("rules.yaml"), Trees.yaml(rules));

        assertThat(Command.run(
                                Map.of(),
                                List.of(
                                        Tool.program("promtool"),
                                        "check",
                                        "rules",
                                        folder.resolve("rules.yaml").toString()))
                        .orFail()
                        .out())
                .contains(expressions.size() + " rules found");
        assertThat(expressions)
                .hasSizeGreaterThan(25)
                .allSatisfy(expression -> assertThat(expression)
                        .as("the clusters that are chosen")
                        .contains("cluster=~\"$cluster\"")
                        .satisfies(text -> assertThat(asGrafanaFillsItIn(text)).doesNotContain("$")));
    }

    @Test
    void everyPanelHasANumberAndAPlaceOfItsOwn() {
        var ids = new HashSet<Integer>();
        var places = new HashSet<String>();

        for (var panel : dashboard().path("panels")) {
            assertThat(ids.add(panel.path("id").asInt())).isTrue();
            var place = panel.path("gridPos");
            assertThat(place.path("x").asInt() + place.path("w").asInt()).isLessThanOrEqualTo(24);
            assertThat(places.add(place.path("x") + " " + place.path("y"))).isTrue();
        }
        assertThat(ids).hasSizeGreaterThan(20);
    }

    @Test
    void itIsThereOnRequestForGrafanasSidecar() {
        assertThat(Rendering.of().objects("ConfigMap")).isEmpty();

        var map = Rendering.of("dashboard.enabled=true", "dashboard.annotations.grafana_folder=Platform")
                .object("ConfigMap");

        assertThat(map.at("/metadata/labels/grafana_dashboard").asText()).isEqualTo("1");
        assertThat(map.at("/metadata/annotations/grafana_folder").asText()).isEqualTo("Platform");
        assertThat(Trees.json(map.at("/data/gitops-interlock.json").asText().getBytes(UTF_8)))
                .isEqualTo(dashboard());
    }

    private static String asGrafanaFillsItIn(String expression) {
        return expression
                .replace("$__rate_interval", "5m")
                .replace("$__range", "6h")
                .replace("$cluster", ".*")
                .replace("$namespace", ".*");
    }

    private static JsonNode dashboard() {
        return Trees.json(ChartFiles.text(FILE).getBytes(UTF_8));
    }

    private static List<String> expressions() {
        return dashboard().findValuesAsText("expr");
    }
}
