package dev.gitopsinterlock.check;

import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.Treatment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Something to know about a change before it is merged. It carries field paths and names, never values.
 *
 * @param severity how bad it is
 * @param code stable name; a guidance code where there is a page about it
 * @param object whom it is about
 * @param tool in whose hands, as a stable name
 * @param fields that cannot change; none where it is not about a change
 * @param message what will happen, in one sentence
 * @param remedy what to do; the end of the message where that says it already
 * @param place in the new manifest
 * @param fix that does it, where a line in the manifest suffices
 * @param manifest the new one
 */
public record Finding(
        Severity severity,
        String code,
        ObjectId object,
        String tool,
        List<String> fields,
        String message,
        String remedy,
        Place place,
        Optional<Fix> fix,
        Manifest manifest) {

    private static final int MAX_FIELDS = 5;

    public Finding {
        Objects.requireNonNull(severity, "severity is null");
        fields = List.copyOf(fields);
    }

    /** The template that the object was rendered from, as Helm names it. */
    public Optional<String> source() {
        return manifest.text().source();
    }

    /** What to do, where the message does not say it. */
    public Optional<String> toDo() {
        return Optional.of(remedy).filter(words -> !message.endsWith(words));
    }

    /** All that is to be said about it at its place. */
    public String says() {
        return message
                + source().map(template -> " (" + template + ")").orElse("")
                + toDo().map(words -> ". " + words).orElse("");
    }

    /** Whether it would say something else, or not be there, if the tool were named that applies the manifest. */
    public boolean dependsOnTool() {
        return tool.equals(Tool.UNKNOWN.label())
                && !fields.isEmpty()
                && (code.equals(GuidanceCode.JOB_EDIT.token())
                        || Tool.deployers().stream()
                                .anyMatch(named -> named.delivery().treats(manifest.object(), manifest.object())
                                        != Treatment.EDITED));
    }

    /** One that asks for nothing where something holds. */
    Finding unless(String where) {
        return new Finding(
                severity,
                code,
                object,
                tool,
                fields,
                message,
                "Nothing to do %s. Otherwise: %s".formatted(where, remedy),
                place,
                fix,
                manifest);
    }

    /** Identifies this finding, also in the next revision, whatever moved around it. */
    public String fingerprint() {
        return String.join("|", code, object.toString(), String.join(",", fields));
    }

    /** Fields in a message: the first few. */
    static String listed(List<FieldPath> fields) {
        var names = fields.stream().map(FieldPath::toString).distinct().toList();
        return names.size() <= MAX_FIELDS
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, MAX_FIELDS)) + " and " + (names.size() - MAX_FIELDS) + " more";
    }
}
