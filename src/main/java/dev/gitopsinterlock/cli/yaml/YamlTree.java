package dev.gitopsinterlock.cli.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Makes JSON of YAML as Kubernetes' tools do: YAML 1.1, whose {@code yes} is true and whose {@code 0644} is 420. Of a key
 * that is there twice, the last one counts.
 */
final class YamlTree {

    /** What aliases of aliases can make of a short text has to end somewhere. */
    private static final int MAX_NODES = 1_000_000;

    /** The parser counts what is written down; aliases of nested lists nest deeper. */
    private static final int MAX_DEPTH = 500;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Set<String> TRUE = Set.of("yes", "true", "on");

    private final YamlDocument document;
    private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<Node, Made> anchored = new IdentityHashMap<>();
    private int nodes;
    private int deepest;

    YamlTree(YamlDocument document) {
        this.document = document;
    }

    /** What was made of an anchor's node, and how much that is wherever it stands. */
    private record Made(JsonNode tree, int nodes, int depth) {}

    JsonNode of(Node node) throws MalformedYaml {
        var made = anchored.get(node);
        if (made != null) {
            count(node, made.nodes, made.depth);
            return made.tree;
        }
        var before = nodes;
        var around = deepest;
        deepest = 0;
        count(node, 1, 1);
        if (!open.add(node)) {
            throw tooMuch(node);
        }
        var tree = convert(node);
        open.remove(node);
        if (node.getAnchor() != null) {
            anchored.put(node, new Made(tree, nodes - before, deepest - open.size()));
        }
        deepest = Math.max(around, deepest);
        return tree;
    }

    private void count(Node node, int more, int depth) throws MalformedYaml {
        nodes += more;
        deepest = Math.max(deepest, open.size() + depth);
        if (nodes > MAX_NODES || deepest > MAX_DEPTH) {
            throw tooMuch(node);
        }
    }

    private MalformedYaml tooMuch(Node node) {
        return document.malformed(
                node.getStartMark().getIndex(), "an alias that contains itself, or more content than any manifest");
    }

    private JsonNode convert(Node node) throws MalformedYaml {
        return switch (node) {
            case MappingNode mapping -> object(mapping);
            case SequenceNode sequence -> {
                var list = JSON.arrayNode();
                for (var item : sequence.getValue()) {
                    list.add(of(item));
                }
                yield list;
            }
            case ScalarNode scalar -> scalar(scalar);
            default -> JSON.nullNode();
        };
    }

    private ObjectNode object(MappingNode mapping) throws MalformedYaml {
        var object = JSON.objectNode();
        for (var entry : mapping.getValue()) {
            if (isMerge(entry)) {
                merge(entry.getValueNode(), object);
            }
        }
        for (var entry : mapping.getValue()) {
            if (!isMerge(entry)) {
                object.set(scalar(entry.getKeyNode()), of(entry.getValueNode()));
            }
        }
        return object;
    }

    /** {@code <<}: what stands beside it goes before, and of several the first. */
    private void merge(Node merged, ObjectNode object) throws MalformedYaml {
        for (var one : merged instanceof SequenceNode several ? several.getValue() : List.of(merged)) {
            if (of(one) instanceof ObjectNode fields) {
                for (var field : fields.properties()) {
                    object.putIfAbsent(field.getKey(), field.getValue());
                }
            }
        }
    }

    private static boolean isMerge(NodeTuple entry) {
        return entry.getKeyNode().getTag().equals(Tag.MERGE);
    }

    private static JsonNode scalar(ScalarNode scalar) {
        var text = scalar.getValue();
        var tag = scalar.getTag();
        if (tag.equals(Tag.NULL)) {
            return JSON.nullNode();
        }
        if (tag.equals(Tag.BOOL)) {
            return JSON.booleanNode(TRUE.contains(text.toLowerCase(Locale.ROOT)));
        }
        if (tag.equals(Tag.INT)) {
            return integer(text);
        }
        return tag.equals(Tag.FLOAT) ? decimal(text) : JSON.textNode(text);
    }

    private static JsonNode integer(String text) {
        var digits = text.replace("_", "");
        var sign = digits.startsWith("-") ? "-" : "";
        var number = digits.replaceFirst("^[+-]", "");
        try {
            if (number.startsWith("0x")) {
                return JSON.numberNode(new BigInteger(sign + number.substring(2), 16));
            }
            if (number.startsWith("0b")) {
                return JSON.numberNode(new BigInteger(sign + number.substring(2), 2));
            }
            if (number.startsWith("0o")) {
                return JSON.numberNode(new BigInteger(sign + number.substring(2), 8));
            }
            var isOctal = number.length() > 1 && number.startsWith("0");
            var value = new BigInteger(sign + number, isOctal ? 8 : 10);
            return value.bitLength() < Long.SIZE ? JSON.numberNode(value.longValue()) : JSON.numberNode(value);
        } catch (NumberFormatException e) {
            // of base 60, such as 1:30, which Kubernetes' tools read as a text
            return JSON.textNode(text);
        }
    }

    private static JsonNode decimal(String text) {
        try {
            return JSON.numberNode(new BigDecimal(text.replace("_", "")));
        } catch (NumberFormatException e) {
            return JSON.textNode(text);
        }
    }

    /** The text of a scalar; empty for anything else. */
    static String scalar(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    static Optional<Node> child(MappingNode mapping, String key) {
        return entry(mapping, key).map(NodeTuple::getValueNode);
    }

    static Optional<NodeTuple> entry(MappingNode mapping, String key) {
        return mapping.getValue().stream()
                .filter(entry -> scalar(entry.getKeyNode()).equals(key))
                .reduce((first, last) -> last);
    }
}
