package dev.gitopsinterlock.build.chart;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What values.yaml says of its values, in comments before them. */
public final class ValuesComments {

    private static final Pattern KEY = Pattern.compile("( *)([A-Za-z]+):.*");

    private ValuesComments() {}

    /** Those that begin so, without that beginning, by the names of the values: {@code jobs.advice.enabled}. */
    public static Map<String, String> beginningWith(String beginning) {
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
    public static Set<String> names() {
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
}
