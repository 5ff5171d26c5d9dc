package dev.gitopsinterlock.crd;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** Evaluates rules in the Common Expression Language, within a budget. */
@FunctionalInterface
public interface RuleEvaluator {

    /**
     * One rule on one value.
     *
     * @param rule in CEL
     * @param isOldOptional whether {@code oldSelf} is an optional value
     * @param schema of the value
     * @param self the value after the change
     * @param oldSelf the same before it; empty only where it is optional
     */
    Verdict evaluate(String rule, boolean isOldOptional, JsonNode schema, JsonNode self, Optional<JsonNode> oldSelf);

    /** This one for the rules of one object more, which have a budget together. */
    default RuleEvaluator forObject() {
        return this;
    }

    /** What a rule says. */
    sealed interface Verdict {

        /** It allows the change, or it refuses it. */
        record Evaluated(boolean allows) implements Verdict {}

        /**
         * Nobody knows.
         *
         * @param reason behind "because", without any value
         */
        record Unknown(String reason) implements Verdict {}
    }
}
