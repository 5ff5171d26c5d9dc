package dev.gitopsinterlock.system.differential;

import dev.gitopsinterlock.system.differential.Wire.Answer;

/** What became of an edit without us and with us. */
enum Outcome {
    ACCEPTED("accepted"),
    ACCEPTED_WITH_OUR_WARNING("accepted, with our warning"),
    OUR_WORDS("immutable: our words"),
    OUR_WARNING("immutable: our warning"),
    LET_THROUGH("immutable: let through"),
    OTHERWISE_REFUSED("refused otherwise"),
    OTHERWISE_REFUSED_OUR_WORDS("refused otherwise: our words"),
    WRONGLY_REFUSED("**accepted, refused by us**"),
    UNSETTLED("state moved");

    private final String label;

    Outcome(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** Whether the two answers say the same, so that it needs no second look. */
    boolean isClear() {
        return this == OTHERWISE_REFUSED_OUR_WORDS || !isToBeRead();
    }

    /** Whether a person may want to see what was sent and answered. */
    boolean isToBeRead() {
        return switch (this) {
            case ACCEPTED, ACCEPTED_WITH_OUR_WARNING, OUR_WORDS, OUR_WARNING, OTHERWISE_REFUSED -> false;
            case LET_THROUGH, OTHERWISE_REFUSED_OUR_WORDS, WRONGLY_REFUSED, UNSETTLED -> true;
        };
    }

    static Outcome of(Answer without, Answer with) {
        if (without.isAccepted()) {
            return with.isAccepted() ? accepted(with) : with.isOurWords() ? WRONGLY_REFUSED : UNSETTLED;
        }
        if (with.isAccepted()) {
            return UNSETTLED;
        }
        if (without.isImmutable()) {
            return with.isOurWords() ? OUR_WORDS : with.isImmutable() ? letThrough(with) : UNSETTLED;
        }
        return with.isOurWords() ? OTHERWISE_REFUSED_OUR_WORDS : OTHERWISE_REFUSED;
    }

    private static Outcome accepted(Answer with) {
        return with.hasOurWarning() ? ACCEPTED_WITH_OUR_WARNING : ACCEPTED;
    }

    private static Outcome letThrough(Answer with) {
        return with.hasOurWarning() ? OUR_WARNING : LET_THROUGH;
    }
}
