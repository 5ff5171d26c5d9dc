package dev.gitopsinterlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;

/**
 * What the API server looks at in the live Job when it decides which exceptions hold. Always read from the old
 * object: the new one's status is whatever the client sent.
 */
public record JobState(boolean suspended, boolean neverStarted, boolean stopped) {

    private static final Set<String> FINAL = Set.of("Complete", "Failed");

    public static JobState of(JsonNode job) {
        var status = job.path("status");
        return new JobState(
                job.path("spec").path("suspend").asBoolean(),
                !status.hasNonNull("startTime"),
                hasCondition(status, "Suspended") && status.path("active").asInt() == 0);
    }

    /** When the Job finished; empty for one that has not. */
    public static Optional<Instant> finishedAt(JsonNode job) {
        for (var condition : job.path("status").path("conditions")) {
            if (FINAL.contains(condition.path("type").asText())
                    && condition.path("status").asText().equals("True")) {
                return Optional.of(instant(condition.path("lastTransitionTime").asText()));
            }
        }
        return Optional.empty();
    }

    /** What nobody can read counts as this moment's: late is the careful side. */
    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return Instant.MAX;
        }
    }

    /**
     * The narrowest reading of any version and gate: 1.34 asks whether the Job ever started, 1.36 whether its controller
     * has said that it is stopped, which a controller of somebody else's may never do.
     */
    boolean takesSchedulingDirectives() {
        return suspended && neverStarted && stopped;
    }

    /** The widest reading of any version and gate under which scheduling directives may change. */
    boolean mayTakeSchedulingDirectives() {
        return suspended && (neverStarted || stopped);
    }

    /** The same for resources; an early 1.35 did not look at {@code spec.suspend}. */
    boolean mayTakeResources() {
        return mayTakeSchedulingDirectives() || stopped;
    }

    private static boolean hasCondition(JsonNode status, String type) {
        for (var condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)
                    && condition.path("status").asText().equals("True")) {
                return true;
            }
        }
        return false;
    }
}
