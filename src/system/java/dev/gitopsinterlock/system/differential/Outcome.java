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
