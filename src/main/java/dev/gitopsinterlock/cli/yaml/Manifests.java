package dev.gitopsinterlock.cli.yaml;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.Kinds;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads the objects of known kinds out of a file, YAML or JSON, alone or in a list. Documents that name no such kind are not
 * looked at, so that what else is in the file, and whether it is well-formed, costs nothing and does not matter. Immutable.
 */
public final class Manifests {

    /** At the beginning of a line, even in the middle of a text block, this ends a document. */
    private static final Pattern SEPARATOR = Pattern.compile("^---(?=\\s|$)", Pattern.MULTILINE);

    private final Kinds kinds;
    private final Pattern named;

    /** Those of these kinds. */
    public Manifests(Kinds kinds) {
        this.kinds = kinds;
        // a value may have a tag, an anchor, or quotes
        this.named = Pattern.compile("\\bkind\\b[\"']?\\s*:\\s*(?:[&!]\\S*\\s+)*[\"']?(?:\\w*List|"
                + kinds.all().stream().map(GuardedKind::name).collect(joining("|"))
                + ")\\b");
    }

    /** Whether a text may hold such an object; without that, nothing else about it matters. */
    public boolean mayBeIn(CharSequence text) {
        return named.matcher(text).find();
    }

    /**
     * All of them, in their order.
     *
     * @param file for messages
     * @param path below the tree, for pairing
     */
    public List<Manifest> in(String file, String path, String text) throws MalformedYaml {
        if (!mayBeIn(text)) {
            return List.of();
        }
        var whole = new YamlText.Whole(file, text);
        var found = new ArrayList<Manifest>();
        var start = 0;
        var separators = SEPARATOR.matcher(text);
        while (separators.find()) {
            read(whole, path, start, separators.start(), found);
            start = separators.end();
        }
        read(whole, path, start, text.length(), found);
        return List.copyOf(found);
    }

    private void read(YamlText.Whole whole, String path, int start, int end, List<Manifest> found)
            throws MalformedYaml {
        var piece = whole.text().substring(start, end);
        if (!mayBeIn(piece)) {
            return;
        }
        for (var node : compose(whole, start, piece)) {
            if (node instanceof MappingNode) {
                var document = whole.from(start);
                add(document, path, node, new YamlTree(document).of(node), found);
            }
        }
    }

    private void add(YamlText.Document document, String path, Node node, JsonNode object, List<Manifest> found) {
        if (!(node instanceof MappingNode mapping)) {
            return;
        }
        var kind = object.path("kind").asText();
        if (kind.endsWith("List") && YamlTree.child(mapping, "items").orElse(null) instanceof SequenceNode items) {
            for (var i = 0; i < items.getValue().size(); i++) {
                add(
                        document,
                        path,
                        items.getValue().get(i),
                        object.path("items").path(i),
                        found);
            }
        } else if (kinds.of(object).isPresent()) {
            found.add(new Manifest(path, object, new YamlText(document, mapping)));
        }
    }

    static List<Node> compose(YamlText.Whole whole, int start, String piece) throws MalformedYaml {
        var options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        options.setNestingDepthLimit(200);
        var nodes = new ArrayList<Node>();
        try {
            new Yaml(options).composeAll(new StringReader(piece)).forEach(nodes::add);
            return nodes;
        } catch (MarkedYAMLException e) {
            var mark = e.getProblemMark();
            throw whole.from(start).malformed(mark == null ? 0 : mark.getIndex(), said(piece, e.getProblem()));
        } catch (YAMLException e) {
            throw whole.from(start).malformed(0, said(piece, e.getMessage()));
        }
    }

    /** The parser's words quote what they are about. */
    private static String said(String piece, @Nullable String problem) {
        return piece.contains("Secret") || problem == null ? "is not YAML" : problem;
    }
}
