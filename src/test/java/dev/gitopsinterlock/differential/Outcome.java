package dev.gitopsinterlock.differential;

import dev.gitopsinterlock.differential.Wire.Answer;

/** What became of an edit without us and with us. */
enum Outcome {
    ACCEPTED("accepted"),
    OUR_WORDS("immutable: our words"),
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
            return with.isAccepted() ? ACCEPTED : with.isOurWords() ? WRONGLY_REFUSED : UNSETTLED;
        }
        if (with.isAccepted()) {
            return UNSETTLED;
        }
        if (without.isImmutable()) {
            return with.isOurWords() ? OUR_WORDS : with.isImmutable() ? LET_THROUGH : UNSETTLED;
        }
        return with.isOurWords() ? OTHERWISE_REFUSED_OUR_WORDS : OTHERWISE_REFUSED;
    }
}
