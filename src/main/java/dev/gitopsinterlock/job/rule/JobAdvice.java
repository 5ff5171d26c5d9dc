package dev.gitopsinterlock.job.rule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldPath.Step;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.rule.GuidanceSelector.Shape;
import dev.gitopsinterlock.kubernetes.VersionKeys;
import dev.gitopsinterlock.tool.SentEdit;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What helps with an edit of a Job: by its tool, each of which has pages of its own. */
final class JobAdvice implements GuardedKind.Advice {

    private static final List<String> UID_LABELS = List.of("batch.kubernetes.io/controller-uid", "controller-uid");

    private static final List<String> LABELS = List.of("template", "metadata", "labels");

    private static final List<List<String>> PARTS = List.of(LABELS, List.of("template", "metadata", "annotations"));

    private static final FieldPath COMPLETIONS = FieldPath.of("spec", "completions");

    @Override
    public GuidanceCode of(Change change, List<FieldPath> refused) {
        var edit = new SentEdit(change.manager(), change.marks(), GeneratedFields.isPutOfManifest(change.after()));
        return new GuidanceSelector(change.tool(), edit, shape(change, refused)).code();
    }

    @Override
    public Optional<Tool> owner(Change change) {
        return Optional.empty();
    }

    private static Shape shape(Change change, List<FieldPath> refused) {
        if (isCopyOfAnotherJob(change)) {
            return Shape.COPIED_MANIFEST;
        }
        if (refused.equals(List.of(COMPLETIONS))
                && ImmutableJobFields.isIndexed(change.after().path("spec"))) {
            return Shape.COMPLETIONS_ALONE;
        }
        var isHook = change.marks().isHelmHook() || change.marks().isArgoCdHook();
        return !isHook && refused.stream().allMatch(path -> isVersion(change, path))
                ? Shape.VERSIONS_ALONE
                : Shape.ORDINARY;
    }

    /** Of one label or annotation of the template, or of all of them where there were none. */
    private static boolean isVersion(Change change, FieldPath path) {
        var names = path.steps().stream().skip(1).map(Step::name).toList();
        var part = names.subList(0, Math.min(3, names.size()));
        if (!PARTS.contains(part)) {
            return false;
        }
        var before = part(change.before(), part);
        var after = part(change.after(), part);
        var keys = names.size() > 3
                ? Stream.of(names.get(3))
                : Stream.concat(before.propertyStream(), after.propertyStream()).map(Map.Entry::getKey);
        return keys.allMatch(key -> VersionKeys.isVersion(
                key, before.path(key).asText(), after.path(key).asText()));
    }

    private static boolean isCopyOfAnotherJob(Change change) {
        var before = templateLabels(change.before());
        var after = templateLabels(change.after());
        return UID_LABELS.stream()
                .anyMatch(label -> after.has(label) && !after.path(label).equals(before.path(label)));
    }

    private static JsonNode templateLabels(JsonNode job) {
        return part(job, LABELS);
    }

    private static JsonNode part(JsonNode job, List<String> names) {
        var node = job.path("spec");
        for (var name : names) {
            node = node.path(name);
        }
        return node;
    }
}
