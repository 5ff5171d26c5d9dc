package dev.gitopsinterlock.doctor;

import java.util.Optional;

/**
 * What one check found.
 *
 * @param words in one or more sentences; never a value of an object that can be a secret
 * @param next the command that mends it, or shows more where no command mends it; empty where nothing is wrong
 */
public record Diagnosis(Check check, Verdict verdict, String words, Optional<String> next) {

    static Diagnosis ok(Check check, String words) {
        return new Diagnosis(check, Verdict.OK, words, Optional.empty());
    }

    static Diagnosis problem(Check check, String words, String next) {
        return new Diagnosis(check, Verdict.PROBLEM, words, Optional.of(next));
    }

    static Diagnosis problem(Check check, String words) {
        return new Diagnosis(check, Verdict.PROBLEM, words, Optional.empty());
    }

    /** For want of a right, or of something to look at. */
    public static Diagnosis notChecked(Check check, String why) {
        return new Diagnosis(check, Verdict.UNKNOWN, "not checked: " + why, Optional.empty());
    }

    /** Wrong only because something else is. */
    Diagnosis because(Check cause) {
        return new Diagnosis(
                check, Verdict.FOLLOWS, "%s. That follows from %s".formatted(words, cause.label()), Optional.empty());
    }
}
