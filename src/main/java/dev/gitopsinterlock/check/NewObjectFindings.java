package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.guidance.LintFinding;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.tool.Tool;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is to be said about a new object, and what Argo CD drops before anybody is asked. */
final class NewObjectFindings {

    private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");
    private static final FieldPath TTL = FieldPath.of("spec", "ttlSecondsAfterFinished");

    private NewObjectFindings() {}

    static List<Finding> of(GuardedKind kind, Change change, Manifest manifest, Tool by, GuidancePages pages) {
        return kind.manifests().mistakes(change).stream()
                .map(warning -> finding(warning, manifest, by, pages))
                .toList();
    }

    private static Finding finding(Warning warning, Manifest manifest, Tool by, GuidancePages pages) {
        var text = warning.text(pages);
        return new Finding(
                Severity.WARNING,
                code(warning),
                manifest.id(),
                by.label(),
                List.of(),
                manifest.id() + " has a mistake that no tool reports",
                text,
                manifest.text().of(field(warning, text, manifest.object())),
                Optional.empty(),
                manifest);
    }

    /** As guidance codes are written. */
    static String code(Warning warning) {
        return warning instanceof LintFinding finding
                ? Arrays.stream(finding.name().split("_", -1))
                        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining())
                : warning.getClass().getSimpleName();
    }

    /** The annotation that the advice names. */
    private static FieldPath field(Warning warning, String text, JsonNode object) {
        if (warning == LintFinding.TTL_OF_TRACKED_JOB) {
            return TTL;
        }
        return object.path("metadata").path("annotations").properties().stream()
                .map(annotation -> annotation.getKey())
                .filter(text::contains)
                .findFirst()
                .map(ANNOTATIONS::key)
                .orElse(ANNOTATIONS);
    }
}
