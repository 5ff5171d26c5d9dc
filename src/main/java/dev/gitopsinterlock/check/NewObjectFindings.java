package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.LintFinding;
import dev.gitopsinterlock.guidance.MisplacedKey;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.Treatment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is to be said about a new object, and what Argo CD drops before anybody is asked. */
final class NewObjectFindings {

    private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");
    private static final FieldPath LABELS = FieldPath.of("metadata", "labels");
    private static final FieldPath TEMPLATE_ANNOTATIONS = FieldPath.of("spec", "template", "metadata", "annotations");
    private static final FieldPath SUSPEND = FieldPath.of("spec", "suspend");
    private static final FieldPath TTL = FieldPath.of("spec", "ttlSecondsAfterFinished");

    private NewObjectFindings() {}

    static List<Finding> of(
            GuardedKind kind, Change change, Manifest manifest, Tool by, boolean isEdited, GuidancePages pages) {
        return Stream.concat(
                        kind.manifests().mistakes(change).stream()
                                .map(warning -> finding(warning, manifest, by, pages)),
                        isEdited ? fixedVersions(kind, manifest, by, pages).stream() : Stream.empty())
                .toList();
    }

    /** Only a note: many charts have such labels, and nothing fails before their next version. */
    private static Optional<Finding> fixedVersions(GuardedKind kind, Manifest manifest, Tool by, GuidancePages pages) {
        var object = manifest.object();
        var fields = by.delivery().treats(object, MissingNode.getInstance()) == Treatment.EDITED
                ? kind.manifests().fixedVersions(object)
                : List.<FieldPath>of();
        return fields.stream()
                .findFirst()
                .map(first -> new Finding(
                        Severity.NOTE,
                        GuidanceCode.FIXED_VERSION.token(),
                        manifest.id(),
                        by.label(),
                        fields.stream().map(FieldPath::toString).toList(),
                        "the next version of " + manifest.id()
                                + " will be refused even if nothing else changes, because these fields are immutable: "
                                + Finding.listed(fields),
                        pages.remedy(GuidanceCode.FIXED_VERSION.token()),
                        manifest.text().of(first),
                        Optional.empty(),
                        manifest));
    }

    private static Finding finding(Warning warning, Manifest manifest, Tool by, GuidancePages pages) {
        var text = warning.text(pages);
        return new Finding(
                Severity.WARNING,
                code(warning),
                manifest.id(),
                by.label(),
                List.of(),
                manifest.id() + ": " + text,
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

    /** The annotation or label that the advice names. */
    private static FieldPath field(Warning warning, String text, JsonNode object) {
        if (warning == LintFinding.TTL_OF_TRACKED_JOB) {
            return TTL;
        }
        if (warning == LintFinding.SUSPENDED_HOOK) {
            return SUSPEND;
        }
        if (warning instanceof MisplacedKey(var key)) {
            return TEMPLATE_ANNOTATIONS.key(key);
        }
        return Stream.of(ANNOTATIONS, LABELS)
                .flatMap(part -> object.path("metadata")
                        .path(part.steps().getLast().name())
                        .propertyStream()
                        .map(mark -> part.key(mark.getKey())))
                .filter(mark -> text.contains(mark.steps().getLast().name()))
                // one key can be the beginning of another
                .max(Comparator.comparingInt(
                        mark -> mark.steps().getLast().name().length()))
                .orElse(ANNOTATIONS);
    }
}
