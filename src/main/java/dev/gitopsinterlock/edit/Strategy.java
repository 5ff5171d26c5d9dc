package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.effect.Effect;
import dev.gitopsinterlock.effect.Effect.CreateSibling;
import dev.gitopsinterlock.effect.Effect.Replace;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.guidance.EffectWarning.How;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How edits of a kind are carried out that the API server refuses, and what must not stand in the way. Pure. */
public interface Strategy {

    /** Whether a policy that asks for it counts; where not, edits of the kind are explained and nothing else. */
    boolean isOn(Policy.Levels levels);

    /** What is to be done with the edit. */
    Policy policy(Change change, Policy.Levels levels, Map<String, String> namespace);

    /**
     * Why an edit such as this one is never carried out.
     *
     * @param usual what is advised in any case
     */
    Optional<Obstacle> obstacle(Change change, List<FieldPath> refused, GuidanceCode usual);

    /** Why this object is not replaced now. */
    Optional<Obstacle> obstacleToReplacement(Change change, Policy.Values policy);

    /**
     * What replaces the object.
     *
     * @param submitted the object as the client wants it
     * @param refused the fields that cannot change
     */
    Replace replacement(Change change, JsonNode submitted, List<FieldPath> refused, Policy.Values policy);

    /**
     * Whether the live object was created for this very edit. What still differs then was put there by another webhook when
     * it was created, and would be again.
     *
     * @param submitted the object as the client wants it
     */
    boolean isDone(Change change, JsonNode submitted, List<FieldPath> refused);

    /** Whether a new object can run beside the live one. */
    default boolean runsBeside() {
        return false;
    }

    /** What runs beside the live object, for a kind that runs; the parameters as for a replacement. */
    default Optional<CreateSibling> runBeside(
            Change change, JsonNode submitted, List<FieldPath> refused, Policy.Values policy) {
        return Optional.empty();
    }

    /** Whether the live object remembers that this is what has run last. */
    default boolean hasRun(Change change, CreateSibling run) {
        return false;
    }

    /**
     * The advice for an effect that failed.
     *
     * @param code of it
     * @param reason that its sentence needs
     */
    record Failure(GuidanceCode code, String reason) {}

    /** What is advised where nothing came of an effect. */
    Failure failure(Effect effect, Outcome outcome);

    /**
     * What the client hears beside the answer.
     *
     * @param name of the object that runs now, or would
     * @param fields that the edit changes and the API server will not
     */
    List<Warning> warnings(How how, String name, List<String> fields);
}
