package dev.gitopsinterlock.guidance;

import java.util.List;

/**
 * A policy annotation with a value that does not exist. The request goes on with the next level's value.
 *
 * @param level where the annotation is
 * @param annotation its key
 * @param value what it says; shown only where it looks like a mistyped word, because it could be anything
 * @param allowed the values that exist
 */
public record UnknownPolicyValue(Level level, String annotation, String value, List<String> allowed) implements Notice {

    public UnknownPolicyValue {
        allowed = List.copyOf(allowed);
    }

    /** The levels on which a person can write a policy, the nearest first. */
    public enum Level {
        JOB("Job"),
        NAMESPACE("Namespace");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }
}
