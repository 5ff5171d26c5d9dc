package dev.gitopsinterlock.immutability;

/** What becomes of a difference at the API server. */
public enum Mutability {
    /** The field may change. */
    ACCEPTED,
    /** Acceptance depends on the server's version or gates. */
    UNSURE,
    /** The change is refused, whatever the version; or by the one that is known. */
    REFUSED
}
