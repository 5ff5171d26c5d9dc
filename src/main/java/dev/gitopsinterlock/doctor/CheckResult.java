package dev.gitopsinterlock.doctor;

/** What a check came to. */
public enum CheckResult {
    OK,
    PROBLEM,
    /** It looks wrong, because something else is. */
    FOLLOWS,
    /** Nobody knows: a right is missing, or there is nothing to look at. */
    UNKNOWN
}
