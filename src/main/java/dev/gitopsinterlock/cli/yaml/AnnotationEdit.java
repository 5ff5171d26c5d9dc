package dev.gitopsinterlock.cli.yaml;

import dev.gitopsinterlock.check.TextEdit;
import dev.gitopsinterlock.guidance.Fix;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Writes an annotation into a text, in the style of what is around it. Nothing else of the text changes.
 *
 * @param document with the object
 * @param fix with the annotation
 */
record AnnotationEdit(YamlDocument document, Fix fix) {

    private static final String ANNOTATIONS = "annotations";

    Optional<TextEdit> in(Node metadata) {
        if (!(metadata instanceof MappingNode fields) || fields.getValue().isEmpty()) {
            return Optional.empty();
        }
        return YamlTree.entry(fields, ANNOTATIONS)
                .map(entry -> inAnnotations(fields, entry))
                .orElseGet(() -> withAnnotations(fields));
    }

    private Optional<TextEdit> inAnnotations(MappingNode metadata, NodeTuple entry) {
        if (!YamlText.standsWhereItIsUsed(entry)) {
            return Optional.empty();
        }
        if (entry.getValueNode() instanceof MappingNode annotations) {
            return YamlTree.entry(annotations, fix.annotation())
                    .map(present -> replaced(present.getValueNode()))
                    .orElseGet(() -> added(annotations));
        }
        var nothing = entry.getValueNode();
        return nothing.getTag().equals(Tag.NULL) && isBlock(metadata)
                ? Optional.of(edit(
                        index(nothing.getStartMark().getIndex()),
                        index(nothing.getEndMark().getIndex()),
                        newline(indent(metadata) + 2) + line()))
                : Optional.empty();
    }

    private Optional<TextEdit> replaced(Node value) {
        if (!(value instanceof ScalarNode scalar)) {
            return Optional.empty();
        }
        var style = scalar.getScalarStyle();
        if (style == ScalarStyle.LITERAL || style == ScalarStyle.FOLDED) {
            return Optional.empty();
        }
        var quote = style == ScalarStyle.PLAIN ? "" : String.valueOf(style.getChar());
        return Optional.of(edit(
                index(value.getStartMark().getIndex()),
                index(value.getEndMark().getIndex()),
                quote + fix.valueBeside(scalar.getValue()) + quote));
    }

    private Optional<TextEdit> added(MappingNode annotations) {
        if (!isBlock(annotations)) {
            var inside = index(annotations.getStartMark().getIndex()) + 1;
            var rest = annotations.getValue().isEmpty() ? "" : ", ";
            return Optional.of(edit(inside, inside, inFlow() + rest));
        }
        return Optional.of(behind(annotations.getValue().getLast(), newline(indent(annotations)) + line()));
    }

    /** Next to the name, where people look. */
    private Optional<TextEdit> withAnnotations(MappingNode metadata) {
        var beside = YamlTree.entry(metadata, "name").orElse(metadata.getValue().getFirst());
        if (!isBlock(metadata)) {
            var behind = index(beside.getValueNode().getEndMark().getIndex());
            return Optional.of(
                    edit(behind, behind, ", " + (isJson() ? "\"annotations\"" : ANNOTATIONS) + ": {" + inFlow() + "}"));
        }
        var indent = indent(metadata);
        return Optional.of(behind(beside, newline(indent) + ANNOTATIONS + ":" + newline(indent + 2) + line()));
    }

    /** At the end of the line in which an entry ends, behind its comment. */
    private TextEdit behind(NodeTuple entry, String added) {
        var text = document.file().text();
        var from = index(entry.getValueNode().getEndMark().getIndex());
        // a text block ends behind its last line
        if (from > 0 && text.charAt(from - 1) == '\n') {
            from--;
        }
        var end = text.indexOf('\n', from);
        var at = end < 0 ? text.length() : end;
        if (at > 0 && text.charAt(at - 1) == '\r') {
            at--;
        }
        return edit(at, at, added);
    }

    private String line() {
        return fix.value().equals("true") ? quotedValue() : fix.annotation() + ": " + fix.value();
    }

    private String inFlow() {
        return isJson() ? "\"%s\": \"%s\"".formatted(fix.annotation(), fix.value()) : quotedValue();
    }

    /** A comma would end the value, and true alone is no text. */
    private String quotedValue() {
        return fix.annotation() + ": \"" + fix.value() + "\"";
    }

    private boolean isJson() {
        return document.file().text().stripLeading().startsWith("{");
    }

    private String newline(int indent) {
        return (document.file().text().contains("\r\n") ? "\r\n" : "\n") + " ".repeat(indent);
    }

    private static int indent(MappingNode mapping) {
        return mapping.getValue().getFirst().getKeyNode().getStartMark().getColumn();
    }

    private static boolean isBlock(MappingNode mapping) {
        return mapping.getFlowStyle() == FlowStyle.BLOCK;
    }

    private int index(int index) {
        return document.offset(index);
    }

    private TextEdit edit(int start, int end, String text) {
        var file = document.file();
        return new TextEdit(start, end, file.place(start), file.place(end), text);
    }
}
