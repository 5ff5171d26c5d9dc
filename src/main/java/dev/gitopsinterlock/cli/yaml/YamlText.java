package dev.gitopsinterlock.cli.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.check.ManifestText;
import dev.gitopsinterlock.check.Place;
import dev.gitopsinterlock.check.TextEdit;
import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldPath.Step;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Where the parts of one object stand.
 *
 * @param document that it was read from
 * @param root of it
 */
record YamlText(Document document, MappingNode root) implements ManifestText {

    private static final Pattern SOURCE = Pattern.compile("^# Source: (\\S+)\\s*$", Pattern.MULTILINE);

    /** A file, with the places where its lines begin. */
    static final class Whole {

        private final String file;
        private final String text;
        private final int[] lineStarts;

        Whole(String file, String text) {
            this.file = file;
            this.text = text;
            this.lineStarts = IntStream.concat(
                            IntStream.of(0),
                            IntStream.range(0, text.length())
                                    .filter(i -> text.charAt(i) == '\n')
                                    .map(i -> i + 1))
                    .toArray();
        }

        String text() {
            return text;
        }

        Document from(int start) {
            return new Document(this, start);
        }

        Place place(int offset) {
            var found = Arrays.binarySearch(lineStarts, offset);
            var line = found >= 0 ? found : -found - 2;
            return new Place(file, line + 1, text.codePointCount(lineStarts[line], offset) + 1);
        }

        String line(int number) {
            var start = lineStarts[number - 1];
            var end = number < lineStarts.length ? lineStarts[number] : text.length();
            return text.substring(start, end).stripTrailing();
        }
    }

    /**
     * A part of a file.
     *
     * @param start of the part
     */
    record Document(Whole whole, int start) {

        /** Of what the parser counts: code points from the part's beginning. */
        int offset(int index) {
            return whole.text().offsetByCodePoints(start, index);
        }

        Place place(int index) {
            return whole.place(offset(index));
        }

        MalformedYaml malformed(int index, String problem) {
            var place = place(index);
            return new MalformedYaml("%s:%d:%d: %s".formatted(place.file(), place.line(), place.column(), problem));
        }
    }

    @Override
    public Place of(FieldPath field) {
        Node at = root;
        var index = root.getStartMark().getIndex();
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
        return document.whole().line(place.line());
    }

    /** In a comment above the object. */
    @Override
    public Optional<String> source() {
        var above = SOURCE.matcher(document.whole().text());
        return above.region(
                        document.start(), document.offset(root.getStartMark().getIndex()))
                .results()
                .map(found -> found.group(1))
                .findFirst();
    }

    @Override
    public JsonNode tree(String value) {
        try {
            var whole = new Whole("", value);
            var nodes = Manifests.compose(whole, 0, value);
            return nodes.isEmpty() ? MissingNode.getInstance() : new YamlTree(whole.from(0)).of(nodes.getFirst());
        } catch (MalformedYaml e) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public Optional<TextEdit> with(Fix fix) {
        return YamlTree.entry(root, "metadata")
                .filter(YamlText::standsWhereItIsUsed)
                .flatMap(metadata -> new AnnotationEdit(document, fix).in(metadata.getValueNode()));
    }

    /** What an alias stands for is elsewhere, and others' as well. */
    static boolean standsWhereItIsUsed(NodeTuple entry) {
        return entry.getValueNode().getStartMark().getIndex()
                >= entry.getKeyNode().getEndMark().getIndex();
    }
}
