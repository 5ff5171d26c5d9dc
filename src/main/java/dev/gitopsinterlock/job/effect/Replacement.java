package dev.gitopsinterlock.job.effect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.NewObject;
import dev.gitopsinterlock.effect.Fingerprint;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.effect.ReplacedMark;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.TtlDefault;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.List;
import java.util.Optional;

/** The Job that takes another one's place. */
public final class Replacement {

    private Replacement() {}

    /**
     * What is to be created.
     *
     * @param submitted the Job as the client wants it
     */
    public static JsonNode of(Change change, JsonNode submitted, Optional<Integer> ttlSecondsAfterFinished) {
        var job = new PatchBuilder(submitted);
        asNew(job);
        GeneratedFields.suspendAsSent(change.after(), job);
        ChosenDefaults.takeOut(change, job);
        TtlDefault.of(job.object(), change.tool(), ttlSecondsAfterFinished)
                .ifPresent(seconds -> TtlDefault.set(job, seconds));
        var spec = job.object().path("spec");
        var mark = ReplacedMark.of(
                change.before(), ImmutableJobFields.TABLE.immutablePart(spec), Fingerprint.of(JobParts.of(spec)));
        return job.set(OurMetadata.annotation(OurMetadata.REPLACED), mark).object();
    }

    /**
     * Whether the live Job was created for this very edit. What still differs then was put there by another webhook
     * when the Job was created, and would be again; what people may have changed since is no such thing.
     *
     * @param submitted the Job as the client wants it
     */
    public static boolean isDone(Change change, JsonNode submitted, List<FieldPath> refused) {
        var mark = ReplacedMark.on(change.before());
        var isUnchanged = change.before().path("metadata").path("generation").asInt(1) == 1;
        if (mark.isEmpty() || (!isUnchanged && refused.stream().anyMatch(ImmutableJobFields::mayEverChange))) {
            return false;
        }
        var job = new PatchBuilder(submitted);
        asNew(job);
        return mark.get().fingerprint().isOrdered(JobParts.of(job.object().path("spec")), refused);
    }

    /** Takes away what belongs to the Job that it was. */
    static void asNew(PatchBuilder job) {
        NewObject.strip(job);
        GeneratedFields.takeOut(job);
    }
}
