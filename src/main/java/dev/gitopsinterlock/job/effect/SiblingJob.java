package dev.gitopsinterlock.job.effect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.GeneratedName;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.effect.SpecHash;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.TtlDefault;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.PolicySetting;
import dev.gitopsinterlock.tool.ToolDetection;
import java.util.ArrayList;
import java.util.Optional;

/**
 * An edit that runs as a Job of its own, beside the live one.
 *
 * @param job what is to be created; its name follows from the live Job, the number and the content of the edit, so that
 *     creating it twice makes one Job
 * @param lastRun what the live Job is to remember of it
 */
public record SiblingJob(JsonNode job, String lastRun) {

    /** A day: time enough to read the logs. */
    private static final int DEFAULT_TTL = 24 * 60 * 60;

    private static final int LABEL_LENGTH = 63;

    public static SiblingJob of(Change change, JsonNode submitted, Optional<Integer> ttlSecondsAfterFinished) {
        var live = change.before();
        var job = new PatchBuilder(submitted);
        Replacement.asNew(job);
        job.remove(PatchBuilder.at("metadata", "ownerReferences")).remove(PatchBuilder.at("metadata", "finalizers"));
        withoutMarks(job, "labels");
        withoutMarks(job, "annotations");
        if (!TtlDefault.isSet(job.object())) {
            TtlDefault.set(job, ttlSecondsAfterFinished.orElse(DEFAULT_TTL));
        }

        var hash =
                SpecHash.of(ImmutableJobFields.TABLE.immutablePart(job.object().path("spec")));
        var memory = live.at(OurMetadata.annotation(OurMetadata.LAST_RUN)).asText();
        var number = number(memory) + 1;
        var name = live.path("metadata").path("name").asText();
        var base = GeneratedFields.nameBase(name, submitted.path("spec"));
        job.set(PatchBuilder.at("metadata", "generateName"), base);
        job.set(
                PatchBuilder.at("metadata", "name"),
                GeneratedName.of(
                        base, SpecHash.uuid(live.path("metadata").path("uid").asText() + "/" + number + "/" + hash)));
        job.set(PatchBuilder.at("metadata", "labels", OurMetadata.RUN_OF), label(name));
        return new SiblingJob(job.object(), number + ":" + hash);
    }

    /** Whether the live Job remembers this very edit as what has run last. */
    public static boolean remembers(JsonNode live, String lastRun) {
        return live.at(OurMetadata.annotation(OurMetadata.LAST_RUN))
                .asText()
                .endsWith(lastRun.substring(lastRun.indexOf(':')));
    }

    private static void withoutMarks(PatchBuilder job, String kind) {
        var keys = new ArrayList<String>();
        job.object().path("metadata").path(kind).fieldNames().forEachRemaining(keys::add);
        keys.stream()
                .filter(key -> ToolDetection.isMark(key) || key.startsWith(PolicySetting.PREFIX))
                .forEach(key -> job.remove(PatchBuilder.at("metadata", kind, key)));
    }

    private static String label(String name) {
        return name.substring(0, Math.min(name.length(), LABEL_LENGTH)).replaceAll("[.-]+$", "");
    }

    /** The number of the last run; 0 where none is remembered. */
    private static int number(String memory) {
        var colon = memory.indexOf(':');
        return colon > 0 && memory.substring(0, colon).matches("[0-9]{1,8}")
                ? Integer.parseInt(memory.substring(0, colon))
                : 0;
    }
}
