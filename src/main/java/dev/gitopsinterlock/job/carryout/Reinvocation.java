package dev.gitopsinterlock.job.carryout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.OurMetadata;
import dev.gitopsinterlock.job.TtlDefault;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.FieldManager.Method;
import java.util.List;

/**
 * The second pass of a replacement: once an edit is carried out, the API server reads the Job again, applies the client's
 * change to what it finds and asks a second time. Here is all that recognises this, and all that is done then. Idempotent:
 * it may ask any number of times.
 */
public final class Reinvocation {

    private Reinvocation() {}

    /**
     * Whether the client made this change for another revision than the live one; the API server answers with a
     * conflict, and a client that knows how tries again.
     */
    public static boolean isStale(JobChange change) {
        var made = change.after().path("metadata").path("resourceVersion").asText();
        return !made.isEmpty()
                && !made.equals(
                        change.before().path("metadata").path("resourceVersion").asText())
                && !isPutForTheOldOne(change);
    }

    /** A PUT made for the Job whose place the live one took. */
    public static boolean isPutForTheOldOne(JobChange change) {
        return ReplacedMark.on(change.before())
                .filter(mark -> mark.isPutForTheOldOne(change.after()))
                .isPresent();
    }

    /**
     * Whether the live Job was created for this very edit. What still differs then was put there by another webhook
     * when the Job was created, and would be again; what people may have changed since is no such thing.
     *
     * @param submitted the Job as the client wants it
     */
    public static boolean isDone(JobChange change, JsonNode submitted, List<Difference> refused) {
        var mark = ReplacedMark.on(change.before());
        var paths = refused.stream().map(Difference::path).toList();
        var isUnchanged = change.before().path("metadata").path("generation").asInt(1) == 1;
        if (mark.isEmpty() || (!isUnchanged && paths.stream().anyMatch(ImmutableJobFields::mayEverChange))) {
            return false;
        }
        var job = new PatchBuilder(submitted);
        Replacement.asNew(job);
        return mark.get().fingerprint().isOrdered(job.object().path("spec"), paths);
    }

    /**
     * Whether a live Job took another one's place for an edit that the API server has not come back to: it still has to
     * ask about the new Job before its client gets an answer. Stays true where that client gave up.
     */
    public static boolean isAwaited(JsonNode live) {
        return ReplacedMark.on(live).filter(mark -> !mark.isBound()).isPresent();
    }

    /**
     * On a Job that took another one's place: lets a PUT pass that was made for the old one, and leaves the fields'
     * owners as they would be after a plain delete and create.
     */
    public static void tidy(JobChange change, PatchBuilder submitted) {
        var annotation = OurMetadata.annotation(OurMetadata.REPLACED);
        var mark = ReplacedMark.on(change.before());
        if (mark.isEmpty()) {
            return;
        }
        if (isPutForTheOldOne(change)) {
            submitted.remove(PatchBuilder.at("metadata", "resourceVersion"));
            TtlDefault.keep(change.before(), submitted);
        }
        // a PUT of the manifest lacks it; while we still set the owners right, its client is not answered
        var isOurs = change.fieldManager().equals(OurMetadata.MANAGER);
        submitted.set(annotation, isOurs ? mark.get().text() : mark.get().boundTo(change.before()));
        ManagedFieldsEntries.withoutOurs(
                        change.after().path("metadata").path("managedFields"),
                        change.manager().method() == Method.APPLY)
                .ifPresent(owners -> submitted.set(PatchBuilder.at("metadata", "managedFields"), owners));
    }
}
