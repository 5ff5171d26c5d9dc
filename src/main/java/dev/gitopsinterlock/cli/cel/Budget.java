package dev.gitopsinterlock.cli.cel;

/** The steps that rules may take, for a second or two: one rule, and all rules of one object together. */
final class Budget {

    static final int OF_RULE = 1_000_000;

    private static final int OF_OBJECT = 2 * OF_RULE;

    private long ofObject = OF_OBJECT;
    private long ofRule = OF_RULE;

    void beginObject() {
        ofObject = OF_OBJECT;
    }

    void beginRule() {
        ofRule = OF_RULE;
    }

    void spend(long steps) {
        ofRule -= steps;
        ofObject -= steps;
        if (isSpent()) {
            throw new Exceeded();
        }
    }

    boolean isSpent() {
        return ofRule <= 0 || isSpentTogether();
    }

    /** By the rules before, too. */
    boolean isSpentTogether() {
        return ofObject <= 0;
    }

    /** There are no steps left. */
    private static final class Exceeded extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
