package dev.gitopsinterlock.tools.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.chart.ChartFiles;
import dev.gitopsinterlock.build.chart.ValuesComments;
import dev.gitopsinterlock.build.chart.ValuesSchema;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.Base64;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The values, their schema and their sentences say the same. {@code ./mvnw test -Dtest=ChartValuesGoldenTest
 * -Dgolden.update=true} writes the schema anew.
 */
class ChartValuesGoldenTest {

    private final JsonNode schema = Trees.fromYaml(ChartFiles.text("values.schema.json"));

    /** Nothing else has one: in an object that has one, helm-docs leaves out what has none. */
    @Test
    void everyValueHasASentence() {
        assertThat(ValuesComments.beginningWith("# -- ").keySet())
                .containsExactlyInAnyOrderElementsOf(ValuesComments.names());
    }

    @Test
    void schemaIsThatOfTheValues() {
        GoldenFiles.compare(ChartFiles.FOLDER.resolve("values.schema.json"), ValuesSchema.text());
    }

    /** Objects with names that people choose have words for values; {@code global} and what stands so in a Pod or a NetworkPolicy are not ours. */
    @Test
    void schemaTakesNothingUnknown() {
        var open = new TreeSet<String>();
        for (var pointer : Trees.pointers(schema)) {
            var node = schema.at(pointer);
            if (node.path("type").asText().equals("object")
                    && !node.path("additionalProperties")
                            .equals(Trees.JSON.getNodeFactory().booleanNode(false))) {
                open.add(pointer.toString());
            }
        }

        assertThat(open)
                .containsExactly(
                        "/definitions/selector/properties/matchExpressions/items",
                        "/definitions/selector/properties/matchLabels",
                        "/definitions/words",
                        "/properties/affinity",
                        "/properties/extraEnv/items/properties/valueFrom",
                        "/properties/extraVolumeMounts/items",
                        "/properties/extraVolumes/items",
                        "/properties/global",
                        "/properties/networkPolicy/properties/ingressFrom/items",
                        "/properties/strategy",
                        "/properties/topologySpreadConstraints/items");
    }

    @Test
    void iconIsTheOneThatWasDrawn() {
        var icon = ChartFiles.projectText("docs/images/icon.svg").getBytes(UTF_8);

        assertThat(Trees.fromYaml(ChartFiles.text("Chart.yaml")).path("icon").asText())
                .isEqualTo("data:image/svg+xml;base64," + Base64.getEncoder().encodeToString(icon));
    }

    @Test
    void versionIsThatOfTheService() {
        var pom = Pattern.compile("<version>(.+)</version>").matcher(ChartFiles.projectText("pom.xml"));
        assertThat(pom.find()).isTrue();
        var chart = Trees.fromYaml(ChartFiles.text("Chart.yaml"));

        assertThat(chart.path("appVersion").asText()).isEqualTo(pom.group(1));
        assertThat(chart.path("version").asText()).isEqualTo(pom.group(1));
    }

    /** Else doctor finds two versions right after the installation. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/image.md",
                "docs/openshift.md",
                "docs/operations.md",
                "docs/rollout.md",
                "helm/gitops-interlock/README.md"
            })
    void whoInstallsByThePagesHasOneVersion(String page) {
        var tags = Pattern.compile("gitops-interlock:(\\d[^ \n]*)|image\\.tag=(\\S+)")
                .matcher(ChartFiles.projectText(page))
                .results()
                .map(tag -> tag.group(1));

        assertThat(tags)
                .allMatch(Trees.fromYaml(ChartFiles.text("Chart.yaml"))
                        .path("appVersion")
                        .asText()::equals);
    }
}
