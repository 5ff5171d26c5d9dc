package dev.gitopsinterlock.job;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.job.ImmutableJobFields.MutableWhen;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/immutable-fields.md says what the table says. {@code -Dgolden.update=true} writes it. */
class ImmutableFieldsPageTest {

    @Test
    void thePageHasEveryRow() {
        var fields = new LinkedHashMap<String, List<String>>();
        ImmutableJobFields.TABLE
                .rows()
                .forEach(row -> fields.computeIfAbsent(words(row.exemption()), words -> new ArrayList<>())
                        .add(row.fields().text()));
        var lists = fields.entrySet().stream()
                .map(list ->
                        "\n\n**%s**\n\n```text\n%s\n```".formatted(list.getKey(), String.join("\n", list.getValue())))
                .collect(joining());

        GoldenFiles.compareSection(Path.of("docs/immutable-fields.md"), "fields", lists + "\n");
    }

    private static String words(MutableWhen exemption) {
        return switch (exemption.when()) {
            case NEVER -> "never";
            case TAKES_SCHEDULING_DIRECTIVES ->
                "while the Job is suspended and has not started, or, by a gate that is " + gate(exemption)
                        + ", has stopped";
            case IS_NOT_LOOKED_AT ->
                "while the Job is suspended and has not started, where the server lets its resources change, too";
            case COMES_OR_GOES_EMPTY -> "with the node affinity in it, under the same conditions";
            case TAKES_RESOURCES ->
                "while the Job is suspended and has not started, or has stopped, by a gate that is " + gate(exemption);
            case RESIZED_WITH_PARALLELISM -> "with `spec.parallelism` and to the same value, in an Indexed Job";
            case ADDED -> "when it is added: gated, " + gate(exemption);
            case COMES_OR_GOES -> "when it is added or removed as a whole: gated, " + gate(exemption);
            case ALWAYS -> "always";
            case CHANGED_AT_ALL -> "gated, " + gate(exemption);
        };
    }

    private static String gate(MutableWhen exemption) {
        return exemption.on().stream()
                .min(Comparator.naturalOrder())
                .map(since -> since == KubernetesVersion.V1_34 ? "on" : "on since " + since.label())
                .orElse("off");
    }
}
