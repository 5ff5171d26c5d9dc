package dev.gitopsinterlock.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The values, their schema and their table say the same. {@code ./mvnw test -Dtest=ChartValuesGoldenTest
 * -Dgolden.update=true} writes the schema and the table of the chart's README anew.
 */
class ChartValuesGoldenTest {

    private static final String BEGIN = "<!-- values.yaml says: -->\n";
    private static final String END = "<!-- end -->\n";

    private final JsonNode schema = Trees.fromYaml(ChartFiles.text("values.schema.json"));

    @Test
    void tableIsThatOfTheValues() throws IOException {
        var readme = ChartFiles.text("README.md");
        var begin = readme.indexOf(BEGIN) + BEGIN.length();
        var end = readme.indexOf(END);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(
                    ChartFiles.FOLDER.resolve("README.md"),
                    readme.substring(0, begin) + ValuesTable.markdown() + readme.substring(end));
            return;
        }

        assertThat(readme.substring(begin, end)).isEqualTo(ValuesTable.markdown());
    }

    @Test
    void everyValueHasASentence() {
        assertThat(new TreeSet<>(ValuesTable.sentences().keySet())).isEqualTo(ValuesTable.names());
    }

    @Test
    void schemaIsThatOfTheValues() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(ChartFiles.FOLDER.resolve("values.schema.json"), ValuesSchema.text());
        }

        assertThat(ChartFiles.text("values.schema.json")).isEqualTo(ValuesSchema.text());
    }

    /** Objects with names that people choose have words for values; {@code global} is not ours. */
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

        assertThat(open).containsExactly("/definitions/words", "/properties/global");
    }

    @Test
    void versionIsThatOfTheService() {
        var pom = Pattern.compile("<version>(.+)</version>").matcher(ChartFiles.projectText("pom.xml"));
        assertThat(pom.find()).isTrue();
        var chart = Trees.fromYaml(ChartFiles.text("Chart.yaml"));

        assertThat(chart.path("appVersion").asText()).isEqualTo(pom.group(1));
        assertThat(chart.path("version").asText()).isEqualTo(pom.group(1));
    }
}
