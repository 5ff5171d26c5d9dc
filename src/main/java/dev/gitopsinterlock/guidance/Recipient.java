package dev.gitopsinterlock.guidance;

/** Whom an advice is for. */
public interface Recipient {

    /** The stable name in metrics and logs. */
    String label();

    /** The command that it has for what others do with kubectl. */
    String kubectl();
}
