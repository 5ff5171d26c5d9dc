package dev.gitopsinterlock.job;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.Optional;

/**
 * A TTL for Jobs that nobody brings back: a tool that finds its Job gone creates it again, and it runs again, for
 * ever.
 */
public final class TtlDefault {

    /** Time enough for Argo CD to see how a hook ended. */
    private static final int LEAST_FOR_A_HOOK = 60;

    private static final JsonPointer TTL = PatchBuilder.at("spec", "ttlSecondsAfterFinished");

    private TtlDefault() {}

    /**
     * Seconds for a new Job; empty where it is to stay as it is.
     *
     * @param requester the tool that sends it
     * @param policy what the policy says
     */
    public static Optional<Integer> of(JsonNode job, Tool requester, Optional<Integer> policy) {
        if (isSet(job) || !job.path("metadata").path("ownerReferences").isEmpty()) {
            return Optional.empty();
        }
        var marks = new ToolMetadata(job);
        if (marks.isArgoCdHook()) {
            return policy.map(seconds -> Math.max(seconds, LEAST_FOR_A_HOOK));
        }
        return policy.filter(seconds -> ToolDetection.owner(marks).isEmpty() && !requester.bringsBack());
    }

    /** A PUT of a manifest lacks what the policy gave the Job. */
    public static void keep(JsonNode live, PatchBuilder submitted) {
        if (isSet(live) && !isSet(submitted.object())) {
            submitted.set(TTL, live.at(TTL));
        }
    }

    public static boolean isSet(JsonNode job) {
        return job.at(TTL).isNumber();
    }

    public static void set(PatchBuilder job, int seconds) {
        job.set(TTL, IntNode.valueOf(seconds));
    }
}
