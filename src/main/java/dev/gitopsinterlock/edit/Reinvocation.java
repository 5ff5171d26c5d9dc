package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.effect.ReplacedMark;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.FieldManager;
import dev.gitopsinterlock.tool.FieldManager.Method;

/**
 * The second pass of a replacement: once an edit is carried out, the API server reads the object again, applies the
 * client's change to what it finds and asks a second time. Here is what recognises this, and what is done then, whatever
 * the kind. Idempotent: it may ask any number of times.
 */
public final class Reinvocation {

    private Reinvocation() {}

    /**
     * Whether the client made this change for another revision than the live one; the API server answers with a
     * conflict, and a client that knows how tries again.
     */
    public static boolean isStale(Change change) {
        var made = ObjectMeta.resourceVersion(change.after());
        return !made.isEmpty()
                && !made.equals(ObjectMeta.resourceVersion(change.before()))
                && !isPutForTheOldOne(change);
    }

    /**
     * The PUT that was carried out, made for the object whose place the live one took, of which the API server asks again;
     * and nobody has written since.
     */
    public static boolean isPutForTheOldOne(Change change) {
        return ReplacedMark.on(change.before())
                .filter(mark -> mark.isPutForTheOldOne(change.before(), change.after()))
                .isPresent();
    }

    /**
     * Whether a live object took another one's place for an edit that the API server has not come back to: it still has
     * to ask about the new one before its client gets an answer. Stays true where that client gave up.
     */
    public static boolean isAwaited(JsonNode live) {
        return ReplacedMark.on(live).filter(mark -> !mark.isBound()).isPresent();
    }

    /**
     * On an object that took another one's place: lets a PUT pass that was made for the old one, and leaves the fields'
     * owners as they would be after a plain delete and create.
     */
    public static void tidy(Change change, PatchBuilder submitted) {
        var annotation = OurMetadata.annotation(OurMetadata.REPLACED);
        var mark = ReplacedMark.on(change.before());
        if (mark.isEmpty()) {
            return;
        }
        if (isPutForTheOldOne(change)) {
            submitted.remove(PatchBuilder.at("metadata", "resourceVersion"));
        }
        // a PUT of the manifest lacks it; while we still write to it ourselves, its client is not answered
        if (!change.fieldManager().equals(FieldManager.OWN)) {
            submitted.set(annotation, mark.get().boundTo(change.before()));
        }
        ManagedFieldsEntries.withoutOurs(
                        change.after().path("metadata").path("managedFields"),
                        change.manager().method() == Method.APPLY)
                .ifPresent(owners -> submitted.set(PatchBuilder.at("metadata", "managedFields"), owners));
    }
}
