package dev.gitopsinterlock.tools.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.chart.ChartFiles;
import dev.gitopsinterlock.build.chart.ValuesComments;
import dev.gitopsinterlock.build.chart.ValuesSchema;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The values, their schema and their sentences say the same. {@code ./mvnw test -Dtest=ChartValuesGoldenTest
 * -Dgolden.update=true} writes the schema anew.
 */
class ChartValuesGoldenTest {

    /** A value of the chart, as pages name it, and what they give it; neither a file nor a resource. */
    private static final Pattern VALUE = Pattern.compile(
            "(?<![\\w./-])(?!tls\\.(?:crt|key)|events\\.events)([a-z]\\w*(?:\\.[a-z]\\w*)+)(?:(?:=|: )(\\w+)|(?=`))");

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

    /** A page that says otherwise is followed by somebody in a hurry. */
    @Test
    void pagesGiveValuesThatTheChartTakes() throws IOException {
        var wrong = new TreeSet<String>();
        for (var page : pages()) {
            for (var said : VALUE.matcher(Files.readString(page)).results().toList()) {
                var top = said.group(1).split("\\.", 2)[0];
                if (schema.path("properties").has(top) && !takes(said.group(1), said.group(2))) {
                    wrong.add(Project.directory().relativize(page) + ": " + said.group());
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    private boolean takes(String name, @Nullable String value) {
        var node = schema;
        for (var part : name.split("\\.", -1)) {
            if (!node.has("properties")) {
                return true; // names that people choose
            }
            node = node.path("properties").path(part);
        }
        var allowed = node.path("enum").valueStream().map(JsonNode::asText).toList();
        return !node.isMissingNode() && (value == null || allowed.isEmpty() || allowed.contains(value));
    }

    private static List<Path> pages() throws IOException {
        var pages = new ArrayList<>(List.of(Project.directory().resolve("README.md")));
        for (var folder : List.of("docs", "examples", "helm", "deploy")) {
            try (var files = Files.walk(Project.directory().resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        return pages;
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
