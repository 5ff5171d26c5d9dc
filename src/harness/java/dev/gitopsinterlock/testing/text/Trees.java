package dev.gitopsinterlock.testing.text;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads, writes and changes JSON trees. */
public final class Trees {

    public static final ObjectMapper JSON = new ObjectMapper();

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES));

    private Trees() {}

    /** A file of src/test/resources. */
    public static JsonNode resource(String path) {
        try (var stream = Trees.class.getResourceAsStream("/" + path)) {
            if (stream == null) {
                throw new IllegalArgumentException("no test resource " + path);
            }
            return YAML.reader(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .readTree(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    /** The documents of a file of src/test/resources. */
    public static List<JsonNode> documents(String path) {
        try (var stream = Trees.class.getResourceAsStream("/" + path);
                var documents =
                        YAML.readerFor(JsonNode.class).<JsonNode>readValues(Objects.requireNonNull(stream, path))) {
            return documents.readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    public static JsonNode json(byte[] text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Single quotes may stand for double ones, so that Java text stays readable. */
    public static JsonNode json(String text) {
        return json(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] bytes(JsonNode tree) {
        try {
            return JSON.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one object of the text. */
    public static ObjectNode fromYaml(String text) {
        try {
            return (ObjectNode) YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For people. */
    public static String yaml(JsonNode tree) {
        try {
            return YAML.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Applies changes in their order: a JSON pointer and the value to be there; null takes away what is there. Missing
     * objects on the way are made; {@code -} stands for the end of a list.
     */
    public static void change(ObjectNode tree, JsonNode changes) {
        changes.properties().forEach(change -> set(tree, change.getKey(), change.getValue()));
    }

    public static void set(ObjectNode tree, String pointer, JsonNode value) {
        var parsed = JsonPointer.compile(pointer);
        var parent = parent(tree, parsed.head());
        var last = parsed.last().getMatchingProperty();
        if (parent instanceof ArrayNode list) {
            if (last.equals("-")) {
                list.add(value);
            } else if (value.isNull()) {
                list.remove(Integer.parseInt(last));
            } else {
                list.set(Integer.parseInt(last), value);
            }
        } else if (value.isNull()) {
            ((ObjectNode) parent).remove(last);
        } else {
            ((ObjectNode) parent).set(last, value);
        }
    }

    private static JsonNode parent(ObjectNode tree, JsonPointer pointer) {
        JsonNode node = tree;
        for (var rest = pointer; !rest.matches(); rest = rest.tail()) {
            var name = rest.getMatchingProperty();
            node = node instanceof ArrayNode list
                    ? list.path(Integer.parseInt(name))
                    : childOf((ObjectNode) node, name);
        }
        return node;
    }

    private static JsonNode childOf(ObjectNode parent, String name) {
        return parent.path(name).isArray() ? parent.path(name) : parent.withObjectProperty(name);
    }

    /** Pointers to every node below the tree, its own first. */
    public static List<JsonPointer> pointers(JsonNode tree) {
        var pointers = new ArrayList<JsonPointer>();
        collect(JsonPointer.empty(), tree, pointers);
        return pointers;
    }

    private static void collect(JsonPointer at, JsonNode node, List<JsonPointer> pointers) {
        pointers.add(at);
        node.properties().forEach(entry -> collect(at.appendProperty(entry.getKey()), entry.getValue(), pointers));
        for (int i = 0; i < node.size() && node.isArray(); i++) {
            collect(at.appendIndex(i), node.path(i), pointers);
        }
    }
}
