package dev.gitopsinterlock.cli.input;

/** Something that was asked for and cannot be read; the message says what, and what helps. */
public final class Unreadable extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean wrongUse;

    private Unreadable(String message, boolean wrongUse) {
        super(message);
        this.wrongUse = wrongUse;
    }

    /** The arguments name something that does not exist. */
    public static Unreadable wrongUse(String message) {
        return new Unreadable(message, true);
    }

    /** It is there, and something is wrong with it. */
    public static Unreadable trouble(String message) {
        return new Unreadable(message, false);
    }

    public boolean isWrongUse() {
        return wrongUse;
    }
}
