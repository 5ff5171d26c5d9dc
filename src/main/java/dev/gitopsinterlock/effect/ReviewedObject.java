package dev.gitopsinterlock.effect;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** A live object beside the one that a review was about. */
public final class ReviewedObject {

    /** Who wrote last, and how often: nothing is decided by these. */
    private static final Set<String> BOOKKEEPING = Set.of("managedFields", "resourceVersion");

    private static final JsonPointer VERSION = PatchBuilder.at("metadata", "resourceVersion");

    private ReviewedObject() {}

    /**
     * Whether a rule that decided about the one decides the same about the other: nobody but the control plane has
     * written to it since. Its status may have moved, except where the rules read it: that of a suspended Job tells which
     * edits are accepted, what is finished has to be finished still, and a StatefulSet's revisions tell of a rollout.
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
        return reviewed.path("status").equals(live.path("status"))
                || (!reviewed.path("spec").path("suspend").asBoolean()
                        && holding(live).containsAll(holding(reviewed))
                        && RolloutState.of(reviewed).equals(RolloutState.of(live)));
    }

    /** The types of the conditions that hold. */
    private static Set<String> holding(JsonNode object) {
        return object.path("status")
                .path("conditions")
                .valueStream()
                .filter(condition -> condition.path("status").asText().equals("True"))
                .map(condition -> condition.path("type").asText())
                .collect(Collectors.toSet());
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
