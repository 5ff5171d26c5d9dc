package dev.gitopsinterlock.job;

/** One field that is not semantically equal before and after. */
record Difference(FieldPath path, Kind kind) {

    enum Kind {
        ADDED,
        REMOVED,
        CHANGED
    }
}
