package dev.gitopsinterlock.job.carryout;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.HashSet;
import java.util.Set;

/** A live Job beside the one that a review was about. */
public final class ReviewedJob {

    /** Who wrote last, and how often: nothing is decided by these. */
    private static final Set<String> BOOKKEEPING = Set.of("managedFields", "resourceVersion");

    private static final JsonPointer VERSION = PatchBuilder.at("metadata", "resourceVersion");

    private ReviewedJob() {}

    /**
     * Whether a rule that decided about the one decides the same about the other: nobody but the control plane has
     * written to it since. Its status may have moved, except where the rules read it: that of a suspended Job tells which
     * edits are accepted, and a finished Job has to be finished still.
     *
     * @param reviewed as the review had it
     * @param live as the cluster has it now
     */
    public static boolean isStill(JsonNode reviewed, JsonNode live) {
        return withoutFields(reviewed, live, Set.of("metadata", "status"))
                && withoutFields(reviewed.path("metadata"), live.path("metadata"), BOOKKEEPING)
                && hasStatusLike(reviewed, live)
                // another version in which nothing is different was never there
                && (reviewed.at(VERSION).equals(live.at(VERSION))
                        || !reviewed.path("status").equals(live.path("status")));
    }

    private static boolean hasStatusLike(JsonNode reviewed, JsonNode live) {
        if (reviewed.path("status").equals(live.path("status"))) {
            return true;
        }
        var wasFinished = JobState.finishedAt(reviewed).isPresent();
        return !reviewed.path("spec").path("suspend").asBoolean()
                && (!wasFinished || JobState.finishedAt(live).isPresent());
    }

    /** Whether all but these fields are equal. */
    private static boolean withoutFields(JsonNode one, JsonNode other, Set<String> ignored) {
        var names = new HashSet<String>();
        one.fieldNames().forEachRemaining(names::add);
        other.fieldNames().forEachRemaining(names::add);
        names.removeAll(ignored);
        return names.stream().allMatch(name -> one.path(name).equals(other.path(name)));
    }
}
