package dev.gitopsinterlock.cli.yaml;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.check.Place;
import dev.gitopsinterlock.check.TextEdit;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A part of a file. What the parser makes of it is large: that of the latest document alone is kept. Immutable.
 */
final class YamlDocument {

    private static final int MOST_NESTED = 200;

    /** Each costs the parser another try. */
    private static final int MOST_TABS = 100;

    private final YamlFile file;
    private final int start;
    private final int end;

    /** What the parser made of one. */
    record Parsed(YamlDocument document, List<Node> nodes) {}

    /**
     * From one separator to the next.
     *
     * @param start of it in the file
     * @param end behind it
     */
    YamlDocument(YamlFile file, int start, int end) {
        this.file = file;
        this.start = start;
        this.end = end;
    }

    YamlFile file() {
        return file;
    }

    int start() {
        return start;
    }

    String text() {
        return file.text().substring(start, end);
    }

    /** More than one where the parser sees ends that are no separators. */
    List<Node> nodes() throws MalformedYaml {
        var parsed = file.latest().get();
        if (parsed == null || parsed.document() != this) {
            parsed = new Parsed(this, compose());
            file.latest().set(parsed);
        }
        return parsed.nodes();
    }

    /** What the nodes are in JSON. */
    ArrayNode trees() throws MalformedYaml {
        var trees = JsonNodeFactory.instance.arrayNode();
        for (var node : nodes()) {
            trees.add(new YamlTree(this).of(node));
        }
        return trees;
    }

    /** The same after an edit of the file within it. */
    YamlDocument after(TextEdit edit) {
        var text = edit.applyTo(file.text());
        return new YamlDocument(
                new YamlFile("", text, new AtomicReference<>()),
                start,
                end + text.length() - file.text().length());
    }

    /** Of what the parser counts: code points from the part's beginning. */
    int offset(int index) {
        return file.offset(start, index);
    }

    Place place(int index) {
        return file.place(offset(index));
    }

    MalformedYaml malformed(int index, String problem) {
        var place = place(index);
        return new MalformedYaml("%s:%d:%d: %s".formatted(place.file(), place.line(), place.column(), problem));
    }

    private List<Node> compose() throws MalformedYaml {
        var options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        options.setNestingDepthLimit(MOST_NESTED);
        var text = new StringBuilder(text());
        for (var tabs = 0; ; tabs++) {
            var nodes = new ArrayList<Node>();
            try {
                new Yaml(options).composeAll(new StringReader(text.toString())).forEach(nodes::add);
                return List.copyOf(nodes);
            } catch (MarkedYAMLException e) {
                var mark = e.getProblemMark();
                var index = mark == null ? 0 : mark.getIndex();
                var at = text.offsetByCodePoints(0, index);
                if (tabs == MOST_TABS || !isTabBehindText(text, at)) {
                    throw malformed(index, said(e.getProblem()));
                }
                text.setCharAt(at, ' ');
            } catch (YAMLException e) {
                throw malformed(0, said(e.getMessage()));
            }
        }
    }

    /** Which Kubernetes' tools take for a space, and this parser not everywhere. */
    private static boolean isTabBehindText(CharSequence text, int at) {
        if (at >= text.length() || text.charAt(at) != '\t') {
            return false;
        }
        var before = at;
        while (before > 0 && (text.charAt(before - 1) == ' ' || text.charAt(before - 1) == '\t')) {
            before--;
        }
        return before > 0 && text.charAt(before - 1) != '\n' && text.charAt(before - 1) != '-';
    }

    /** The parser's words quote what they are about. */
    private String said(@Nullable String problem) {
        return problem == null || text().contains("Secret") ? "is not YAML" : problem;
    }
}
