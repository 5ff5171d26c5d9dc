package dev.gitopsinterlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.FieldManager.Method;
import java.util.List;
import java.util.Optional;

/**
 * The Job that takes another one's place, and the care for its ownership once the API server asks again.
 *
 * <p>The API server answers an edit that was carried out by reading the Job anew, applying the client's change to what
 * it finds and asking a second time. What is done there is idempotent: it may ask any number of times.
 */
final class Replacement {

    private static final List<String> NOT_OF_A_NEW_JOB =
            List.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink");

    private Replacement() {}

    /**
     * What is to be created.
     *
     * @param submitted the Job as the client wants it
     */
    static JsonNode of(JobChange change, JsonNode submitted, Optional<Integer> ttlSecondsAfterFinished) {
        var job = new PatchBuilder(submitted);
        asNew(job);
        GeneratedFields.suspendAsSent(change.after(), job);
        ChosenDefaults.takeOut(change, job);
        TtlDefault.of(job.object(), change.tool(), ttlSecondsAfterFinished)
                .ifPresent(seconds -> TtlDefault.set(job, seconds));
        var mark = ReplacedMark.of(change.before(), job.object().path("spec"));
        return job.set(OurMetadata.annotation(OurMetadata.REPLACED), mark).object();
    }

    /**
     * Whether the live Job was created for this very edit. What still differs then was put there by another webhook
     * when the Job was created, and would be again; what people may have changed since is no such thing.
     *
     * @param submitted the Job as the client wants it
     */
    static boolean isDone(JobChange change, JsonNode submitted, List<Difference> refused) {
        var mark = ReplacedMark.on(change.before());
        var paths = refused.stream().map(Difference::path).toList();
        var isUnchanged = change.before().path("metadata").path("generation").asInt(1) == 1;
        if (mark.isEmpty() || (!isUnchanged && paths.stream().anyMatch(ImmutableJobFields::mayEverChange))) {
            return false;
        }
        var job = new PatchBuilder(submitted);
        asNew(job);
        return mark.get().fingerprint().isOrdered(job.object().path("spec"), paths);
    }

    /** Takes away what belongs to the object that it was. */
    static void asNew(PatchBuilder job) {
        job.remove(PatchBuilder.at("status"));
        NOT_OF_A_NEW_JOB.forEach(field -> job.remove(PatchBuilder.at("metadata", field)));
        job.remove(OurMetadata.annotation(OurMetadata.NUDGED));
        GeneratedFields.takeOut(job);
    }

    /**
     * A client that applies by the server must own what it applied and nobody else; the new Job is then created in our
     * name, and the entry goes once the client's own is there. Every other client is the Job's creator.
     */
    static String fieldManager(JobChange change) {
        var writer = change.writer();
        return writer.method() == Method.APPLY || writer.manager().isEmpty() ? OurMetadata.MANAGER : writer.manager();
    }

    /**
     * The owners that the new Job gets before the API server looks for conflicts: what a client applies by the server is
     * its own from the first moment, as after a delete and an apply. Nothing for every other client.
     */
    static JsonNode owners(JobChange change) {
        var writer = change.writer();
        return writer.method() == Method.APPLY
                ? FieldOwners.applied(change.after().path("metadata").path("managedFields"), writer.manager())
                : MissingNode.getInstance();
    }

    /**
     * On a Job that took another one's place: lets a PUT pass that was made for the old one, and leaves the fields'
     * owners as they would be after a plain delete and create.
     */
    static void tidy(JobChange change, PatchBuilder submitted) {
        var annotation = OurMetadata.annotation(OurMetadata.REPLACED);
        var mark = ReplacedMark.on(change.before());
        if (mark.isEmpty()) {
            return;
        }
        if (change.isMadeForTheOldOne()) {
            submitted.remove(PatchBuilder.at("metadata", "resourceVersion"));
            TtlDefault.keep(change.before(), submitted);
        }
        // a PUT of the manifest lacks it; while we still set the owners right, its client is not answered
        var isOurs = change.fieldManager().equals(OurMetadata.MANAGER);
        submitted.set(annotation, isOurs ? mark.get().text() : mark.get().boundTo(change.before()));
        FieldOwners.withoutOurs(
                        change.after().path("metadata").path("managedFields"),
                        change.writer().method() == Method.APPLY)
                .ifPresent(owners -> submitted.set(PatchBuilder.at("metadata", "managedFields"), owners));
    }
}
