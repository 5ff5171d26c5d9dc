package dev.gitopsinterlock.job.rule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.rule.GuidanceSelector.Shape;
import dev.gitopsinterlock.tool.SentEdit;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Optional;

/** What helps with an edit of a Job: by its tool, each of which has pages of its own. */
final class JobAdvice implements GuardedKind.Advice {

    private static final List<String> UID_LABELS = List.of("batch.kubernetes.io/controller-uid", "controller-uid");

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
        return refused.equals(List.of(COMPLETIONS))
                        && ImmutableJobFields.isIndexed(change.after().path("spec"))
                ? Shape.COMPLETIONS_ALONE
                : Shape.ORDINARY;
    }

    private static boolean isCopyOfAnotherJob(Change change) {
        var before = templateLabels(change.before());
        var after = templateLabels(change.after());
        return UID_LABELS.stream()
                .anyMatch(label -> after.has(label) && !after.path(label).equals(before.path(label)));
    }

    private static JsonNode templateLabels(JsonNode job) {
        return job.path("spec").path("template").path("metadata").path("labels");
    }
}
