package dev.gitopsinterlock.cli.yaml;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.check.ManifestText;
import dev.gitopsinterlock.check.Place;
import dev.gitopsinterlock.check.TextEdit;
import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldPath.Step;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Where the parts of one object stand.
 *
 * @param document that it was read from
 * @param at its place in there
 */
record YamlText(YamlDocument document, JsonPointer at) implements ManifestText {

    private static final Pattern SOURCE = Pattern.compile("^# Source: (\\S+)\\s*$", Pattern.MULTILINE);

    @Override
    public Place of(FieldPath field) {
        Node at = root();
        var index = at.getStartMark().getIndex();
        for (var step : field.steps()) {
            var next = next(at, step);
            if (next.isEmpty()) {
                break;
            }
            index = next.get().index();
            at = next.get().node();
        }
        return document.place(index);
    }

    /** A step down: what is there, and where it begins, which is its key's place where it has one. */
    private record Found(Node node, int index) {}

    private static Optional<Found> next(Node at, Step step) {
        if (at instanceof MappingNode mapping) {
            return YamlTree.entry(mapping, step.name())
                    .map(entry -> new Found(
                            entry.getValueNode(),
                            entry.getKeyNode().getStartMark().getIndex()));
        }
        if (at instanceof SequenceNode list && step instanceof Step.Index(var index)) {
            return index < list.getValue().size()
                    ? Optional.of(list.getValue().get(index))
                            .map(item -> new Found(item, item.getStartMark().getIndex()))
                    : Optional.empty();
        }
        return Optional.empty();
    }

    @Override
    public String line(Place place) {
        return document.file().line(place.line());
    }

    /** In a comment above the object. */
    @Override
    public Optional<String> source() {
        if (!document.file().hasSources()) {
            return Optional.empty();
        }
        var above = SOURCE.matcher(document.file().text());
        return above.region(
                        document.start(), document.offset(root().getStartMark().getIndex()))
                .results()
                .map(found -> found.group(1))
                .findFirst();
    }

    @Override
    public JsonNode tree(String value) {
        try {
            return new YamlFile("", value, new AtomicReference<>())
                    .asOne()
                    .trees()
                    .path(0);
        } catch (MalformedYaml e) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public Optional<TextEdit> with(Fix fix) {
        return YamlTree.entry(root(), "metadata")
                .filter(YamlText::standsWhereItIsUsed)
                .flatMap(metadata -> new AnnotationEdit(document, fix).in(metadata.getValueNode()))
                .filter(edit -> changesNothingElse(edit, fix));
    }

    /** With anchors and merge keys others may get what is written here, or this object lose what it had from there. */
    private boolean changesNothingElse(TextEdit edit, Fix fix) {
        try {
            // each alias as a part of its own
            var wanted = document.trees().deepCopy();
            var annotations = ((ObjectNode) wanted.at(at)).withObject("/metadata/annotations");
            var present = annotations.path(fix.annotation()).asText();
            annotations.put(fix.annotation(), present.isEmpty() ? fix.value() : fix.valueBeside(present));
            return document.after(edit).trees().equals(wanted);
        } catch (MalformedYaml e) {
            return false;
        }
    }

    private MappingNode root() {
        try {
            Node node = document.nodes().get(at.getMatchingIndex());
            for (var below = at.tail(); !below.matches(); below = below.tail()) {
                node = node instanceof SequenceNode list
                        ? list.getValue().get(below.getMatchingIndex())
                        : YamlTree.child((MappingNode) node, below.getMatchingProperty())
                                .orElseThrow();
            }
            return (MappingNode) node;
        } catch (MalformedYaml e) {
            throw new IllegalStateException("what was read once is read again", e);
        }
    }

    /** What an alias stands for is elsewhere, and others' as well. */
    static boolean standsWhereItIsUsed(NodeTuple entry) {
        return entry.getValueNode().getStartMark().getIndex()
                >= entry.getKeyNode().getEndMark().getIndex();
    }
}
