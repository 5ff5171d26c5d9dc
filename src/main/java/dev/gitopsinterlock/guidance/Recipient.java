package dev.gitopsinterlock.guidance;

/** Whom an advice is for: a tool, in the words that its users know. */
public interface Recipient {

    /** The stable name in metrics and logs. */
    String label();

    /** What the docs call it. */
    String title();

    /** The command that it has for what others do with kubectl. */
    String kubectl();

    /** How its users send a change once more, as an order: {@code sync again}. */
    String again();
}
