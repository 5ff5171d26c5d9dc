package dev.gitopsinterlock.immutability;

/** One field that is not semantically equal before and after. */
public record Difference(FieldPath path, Kind kind) {

    public enum Kind {
        ADDED,
        REMOVED,
        CHANGED
    }
}
