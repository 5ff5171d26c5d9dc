package dev.gitopsinterlock.job.carryout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.OurMetadata;
import dev.gitopsinterlock.job.TtlDefault;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.FieldManager.Method;
import java.util.List;
import java.util.Optional;

/** The Job that takes another one's place. */
public final class Replacement {

    private static final List<String> NOT_OF_A_NEW_JOB =
            List.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink");

    private Replacement() {}

    /**
     * What is to be created.
     *
     * @param submitted the Job as the client wants it
     */
    public static JsonNode of(JobChange change, JsonNode submitted, Optional<Integer> ttlSecondsAfterFinished) {
        var job = new PatchBuilder(submitted);
        asNew(job);
        GeneratedFields.suspendAsSent(change.after(), job);
        ChosenDefaults.takeOut(change, job);
        TtlDefault.of(job.object(), change.tool(), ttlSecondsAfterFinished)
                .ifPresent(seconds -> TtlDefault.set(job, seconds));
        var mark = ReplacedMark.of(change.before(), job.object().path("spec"));
        return job.set(OurMetadata.annotation(OurMetadata.REPLACED), mark).object();
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
    public static String fieldManager(JobChange change) {
        var manager = change.manager();
        return manager.method() == Method.APPLY || manager.name().isEmpty() ? OurMetadata.MANAGER : manager.name();
    }

    /**
     * The owners that the new Job gets before the API server looks for conflicts: what a client applies by the server is
     * its own from the first moment, as after a delete and an apply. Nothing for every other client.
     */
    public static JsonNode owners(JobChange change) {
        var manager = change.manager();
        return manager.method() == Method.APPLY
                ? ManagedFieldsEntries.applied(change.after().path("metadata").path("managedFields"), manager.name())
                : MissingNode.getInstance();
    }
}
