package dev.gitopsinterlock.admission;

/** Why a request is let through that no rule has looked at. */
public enum NotEvaluated implements Reason {
    /** The API server asks about what we do ourselves. */
    SKIPPED,
    /** The request lacks what a rule needs, or has it in another form. The API server judges it by itself. */
    UNSUPPORTED,
    /** There is too little memory to look at it. */
    TOO_LARGE,
    /** People have switched everything off but plain answers. */
    BREAK_GLASS
}
