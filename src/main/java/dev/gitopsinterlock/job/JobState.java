package dev.gitopsinterlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.kubernetes.Conditions;
import java.time.Instant;
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
                Conditions.isTrue(job, "Suspended") && status.path("active").asInt() == 0);
    }

    /** When the Job finished; empty for one that has not. */
    public static Optional<Instant> finishedAt(JsonNode job) {
        for (var condition : job.path("status").path("conditions")) {
            if (FINAL.contains(condition.path("type").asText())
                    && condition.path("status").asText().equals("True")) {
                // what nobody can read counts as this moment's: late is the careful side
                return Timestamp.of(condition.path("lastTransitionTime")).or(() -> Optional.of(Instant.MAX));
            }
        }
        return Optional.empty();
    }

    /**
     * Whether scheduling directives may change: by default only where the Job never started, and where the gate is on
     * rather where its controller has said that it is stopped, which a controller of somebody else's may never do.
     */
    Mutability schedulingDirectives(FeatureGate gate) {
        return switch (gate) {
            case OFF -> suspended && neverStarted ? Mutability.ACCEPTED : Mutability.REFUSED;
            case ON -> acceptedOnceStopped();
            case UNKNOWN -> suspended && neverStarted && stopped ? Mutability.ACCEPTED : mayBe(isWithoutPods());
        };
    }

    /** Whether resources may; an early 1.35 with the gate on did not look at {@code spec.suspend}. */
    Mutability resources(FeatureGate gate) {
        return gate == FeatureGate.UNKNOWN ? mayBe(isWithoutPods() || stopped) : otherMetadata(gate);
    }

    /** Whether metadata of the template may, at which nobody looks where resources may. */
    Mutability otherMetadata(FeatureGate gate) {
        return switch (gate) {
            case OFF -> Mutability.REFUSED;
            case ON -> acceptedOnceStopped();
            case UNKNOWN -> mayBe(isWithoutPods());
        };
    }

    /** An early 1.36 asks for the condition even where a Job never started; a later one does not. */
    private Mutability acceptedOnceStopped() {
        return suspended && stopped ? Mutability.ACCEPTED : mayBe(isWithoutPods());
    }

    private boolean isWithoutPods() {
        return suspended && (neverStarted || stopped);
    }

    private static Mutability mayBe(boolean somewhere) {
        return somewhere ? Mutability.UNSURE : Mutability.REFUSED;
    }
}
