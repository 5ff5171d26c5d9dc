package dev.gitopsinterlock.gate;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.makers.KnownMaker;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Texts;
import dev.gitopsinterlock.testing.text.Trees;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page and the service say what the chart's table says. {@code -Dgolden.update=true} writes the page's part. */
class RestartMakersTableTest {

    private static final JsonNode TABLE = Trees.fromYaml(
                    Texts.read(Path.of("helm/gitops-interlock/restart-makers.yaml")))
            .path("makers");

    @Test
    void thePageHasEveryRow() {
        var rows = TABLE.valueStream()
                .map(row -> Stream.of("who", "longestWait", "held", "knownFrom")
                        .map(column -> row.path(column).asText())
                        .collect(joining(" | ", "| ", " |")))
                .collect(joining("\n"));

        GoldenFiles.compareSection(Path.of("docs/restart-makers.md"), "makers", """

                | who | longest wait after a hold | held | known from |
                |---|---|---|---|
                %s
                """.formatted(rows));
    }

    /** Otherwise API servers would ask for nothing, or the service would not know what for. */
    @Test
    void theServiceKnowsThoseThatTheChartHolds() {
        var held = TABLE.valueStream()
                .map(row -> row.path("gate"))
                .filter(JsonNode::isObject)
                .collect(toMap(gate -> gate.path("controller").asText(), gate -> Set.of(kind(gate.path("kind")))));

        assertThat(makers().collect(toMap(RestartMaker::name, RestartMaker::kinds)))
                .isEqualTo(held);
    }

    private static String kind(JsonNode kind) {
        return "%s/v1/%s"
                .formatted(kind.path("group").asText(), kind.path("kind").asText());
    }

    private static Stream<RestartMaker> makers() {
        var users = Arrays.stream(KnownMaker.values()).collect(toMap(maker -> maker, maker -> "user"));
        return KnownMaker.of(users, new KnownObjects() {
                    @Override
                    public <T> Optional<List<T>> of(WatchedKind<T> kind) {
                        return Optional.empty();
                    }
                })
                .all()
                .stream();
    }
}
