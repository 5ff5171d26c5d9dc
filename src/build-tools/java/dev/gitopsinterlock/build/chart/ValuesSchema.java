package dev.gitopsinterlock.build.chart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The schema of the values, which is in comments of values.yaml: {@code # @schema} before a value, in words of JSON Schema or
 * by the name of a {@code # @definition}. What has none is true or false. Nothing unknown is allowed anywhere; who gives a value
 * its former name, by {@code # @formerly}, is told the new one.
 */
public final class ValuesSchema {

    private static final Pattern DEFINITION = Pattern.compile("(?m)^# @definition (\\w+) (\\{.+})$");

    private ValuesSchema() {}

    /** For values.schema.json. */
    public static String text() {
        var schema = Trees.JSON
                .createObjectNode()
                .put("$schema", "http://json-schema.org/draft-07/schema#")
                .put("title", "Values of the chart gitops-interlock; made of the comments in values.yaml");
        var definitions = schema.putObject("definitions");
        DEFINITION
                .matcher(ChartFiles.text("values.yaml"))
                .results()
                .forEach(found -> definitions.set(found.group(1), Trees.fromYaml(found.group(2))));
        schema.setAll(block("", ChartFiles.values(), ValuesComments.beginningWith("# @schema "), definitions));
        var properties = schema.withObject("/properties");
        ValuesComments.beginningWith("# @formerly ").forEach((name, former) -> {
            var path = former.split("\\.", 2);
            // Helm repeats the constant in its error
            properties
                    .withObject("/" + path[0])
                    .put("type", "object")
                    .put("additionalProperties", false)
                    .withObject("/properties/" + path[1])
                    .put("const", "renamed: set %s in place of %s".formatted(name, former));
        });
        // what a chart that has this one below it hands down
        properties.withObject("/global").remove("additionalProperties");
        properties.putObject("enabled").put("type", "boolean");
        try {
            return Trees.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ObjectNode block(
            String name, JsonNode values, Map<String, String> comments, ObjectNode definitions) {
        var block = Trees.JSON.createObjectNode().put("type", "object").put("additionalProperties", false);
        var properties = block.putObject("properties");
        values.properties().forEach(value -> {
            var path = name.isEmpty() ? value.getKey() : name + "." + value.getKey();
            var comment = comments.get(path);
            if (comment != null) {
                properties.set(value.getKey(), said(path, comment, definitions));
            } else if (value.getValue().isObject()) {
                properties.set(value.getKey(), block(path, value.getValue(), comments, definitions));
            } else if (value.getValue().isBoolean()) {
                properties.putObject(value.getKey()).put("type", "boolean");
            } else {
                throw new AssertionError(path + " has no line \"# @schema\" in values.yaml");
            }
        });
        return block;
    }

    private static ObjectNode said(String path, String comment, ObjectNode definitions) {
        if (comment.startsWith("{")) {
            return Trees.fromYaml(comment);
        }
        if (!definitions.has(comment)) {
            throw new AssertionError(path + " is a " + comment + ", which has no \"# @definition\" in values.yaml");
        }
        return Trees.JSON.createObjectNode().put("$ref", "#/definitions/" + comment);
    }
}
