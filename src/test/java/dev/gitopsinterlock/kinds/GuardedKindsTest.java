package dev.gitopsinterlock.kinds;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.immutability.FieldTable.Row;
import dev.gitopsinterlock.immutability.PathPattern;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page and the chart say what the tables say. {@code -Dgolden.update=true} writes the page's part. */
class GuardedKindsTest {

    @Test
    void thePageHasEveryRow() {
        var kinds = new LinkedHashMap<String, List<String>>();
        for (var kind : GuardedKinds.BESIDE_JOB) {
            lines(kind)
                    .forEach(line -> kinds.computeIfAbsent(line, same -> new ArrayList<>())
                            .add(kind.name()));
        }
        var rows = kinds.entrySet().stream()
                .map(line -> "- **%s** %s\n".formatted(String.join(", ", line.getValue()), line.getKey()))
                .collect(joining("", "\n\n", ""));

        GoldenFiles.compareSection(Path.of("docs/kinds.md"), "kinds", rows);
    }

    /** Otherwise the API server would not ask, or ask about nothing. */
    @Test
    void theChartAsksAboutEveryField() throws IOException {
        var webhooks = Files.readString(Path.of("testbed/registrations.yaml")).split("\n {2}- name: ", -1);

        for (var kind : GuardedKinds.BESIDE_JOB) {
            var name = kind.plural() + ".gitops-interlock.dev\n";
            assertThat(webhooks)
                    .filteredOn(webhook -> webhook.startsWith(name))
                    .singleElement()
                    .satisfies(webhook -> assertThat(webhook)
                            .contains("apiGroups: [\"" + kind.group() + "\"]", "resources: [" + kind.plural() + "]")
                            .contains("scope: " + (kind.namespaced() ? "Namespaced" : "Cluster"))
                            .satisfies(registered -> assertThat(kind.table().fields())
                                    .allMatch(field -> isAskedAbout(registered, field))));
        }
    }

    private static boolean isAskedAbout(String webhook, PathPattern field) {
        var whole = field.names().getFirst();
        return webhook.contains("object.?%s != ".formatted(String.join(".?", field.names())))
                || webhook.contains("object.?%s != ".formatted(whole));
    }

    /** A line for all fields of a kind that may change at the same time, with when that is. */
    private static Stream<String> lines(GuardedKind kind) {
        var fields = new LinkedHashMap<String, List<String>>();
        kind.table()
                .rows()
                .forEach(row -> fields.computeIfAbsent(words(row), words -> new ArrayList<>())
                        .add("`" + row.fields().text() + "`"));
        return fields.entrySet().stream().map(line -> String.join(", ", line.getValue()) + line.getKey());
    }

    private static String words(Row<?> row) {
        return switch ((Fixed) row.exemption()) {
            case NEVER -> "";
            case UNLESS_IMMUTABLE -> ": may change as long as `immutable` is not `true`";
            case ONCE -> ": once, where unset";
            case ONCE_OR_BY_A_GATE -> ": once, where unset; then the API server decides, by a gate";
            case ONCE_PERHAPS -> ": where unset, the API server decides; else never";
            case LEFT_TO_THE_SERVER -> ": the API server decides";
            case AS_THE_OTHER -> ": the API server decides, and keeps the two the same";
            case WHILE_BOUND -> ": while the claim is bound";
            case WHILE_BOUND_BY_A_GATE -> ": while the claim is bound; else the API server decides";
        };
    }
}
