package dev.gitopsinterlock.doctor;

import java.util.Optional;

/**
 * What one check found.
 *
 * @param words in one or more sentences; never a value of an object that can be a secret
 * @param next the command that fixes it, or shows more where none does; empty where nothing is wrong
 * @param silences whether the API server gets no answer because of it
 */
public record Diagnosis(Check check, CheckResult verdict, String words, Optional<String> next, boolean silences) {

    private Diagnosis(Check check, CheckResult verdict, String words) {
        this(check, verdict, words, Optional.empty(), false);
    }

    static Diagnosis ok(Check check, String words) {
        return new Diagnosis(check, CheckResult.OK, words);
    }

    static Diagnosis problem(Check check, String words, String next) {
        return new Diagnosis(check, CheckResult.PROBLEM, words, Optional.of(next), false);
    }

    static Diagnosis problem(Check check, String words) {
        return new Diagnosis(check, CheckResult.PROBLEM, words);
    }

    /** A check that was not made, for want of a right, or of something to look at. */
    public static Diagnosis notChecked(Check check, String why) {
        return new Diagnosis(check, CheckResult.UNKNOWN, "not checked: " + why);
    }

    /** This diagnosis where the API server gets no answer because of it. */
    Diagnosis silencing() {
        return new Diagnosis(check, verdict, words, next, true);
    }

    /** Wrong only because something else is. */
    Diagnosis because(Check cause) {
        return new Diagnosis(check, CheckResult.FOLLOWS, "%s. That follows from %s".formatted(words, cause.label()));
    }

    /** With something to add and another command. */
    public Diagnosis and(String more, String command) {
        return new Diagnosis(check, verdict, words + ". " + more, Optional.of(command), silences);
    }
}
