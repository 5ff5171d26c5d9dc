package dev.gitopsinterlock.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.Trees;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The values with their sentences, which are comments that begin with {@code # --}. */
final class ValuesTable {

    private static final Pattern KEY = Pattern.compile("( *)([A-Za-z]+):.*");

    private ValuesTable() {}

    /** For the README. */
    static String markdown() {
        var values = ChartFiles.values();
        return sentences().entrySet().stream()
                .map(entry -> "| `%s` | `%s` | %s |\n"
                        .formatted(entry.getKey(), shown(values.at(pointer(entry.getKey()))), entry.getValue()))
                .collect(joining("", "| value | default | meaning |\n|---|---|---|\n", ""));
    }

    /** By the names of the values, such as {@code jobs.advice.enabled}, in their order. */
    static Map<String, String> sentences() {
        return comments("# -- ");
    }

    /** The comments before values that begin so, without that beginning, by the names of the values. */
    static Map<String, String> comments(String beginning) {
        var comments = new LinkedHashMap<String, String>();
        var path = new ArrayDeque<String>();
        var comment = "";
        for (var line : ChartFiles.text("values.yaml").lines().toList()) {
            var key = KEY.matcher(line);
            if (line.strip().startsWith(beginning)) {
                comment = line.strip().substring(beginning.length());
            } else if (key.matches()) {
                while (path.size() > key.group(1).length() / 2) {
                    path.removeLast();
                }
                path.addLast(key.group(2));
                if (!comment.isEmpty()) {
                    comments.put(String.join(".", path), comment);
                    comment = "";
                }
            }
        }
        return comments;
    }

    /** The names of all values; an empty object is one. */
    static Set<String> names() {
        var names = new TreeSet<String>();
        collect("", ChartFiles.values(), names);
        return names;
    }

    private static void collect(String name, JsonNode value, Set<String> names) {
        if (value.isObject() && !value.isEmpty()) {
            value.properties()
                    .forEach(entry -> collect(
                            name.isEmpty() ? entry.getKey() : name + "." + entry.getKey(), entry.getValue(), names));
        } else {
            names.add(name);
        }
    }

    static String pointer(String name) {
        return "/" + name.replace('.', '/');
    }

    private static String shown(JsonNode value) {
        return value.isTextual() && !value.asText().isEmpty() ? value.asText() : new String(Trees.bytes(value), UTF_8);
    }
}
