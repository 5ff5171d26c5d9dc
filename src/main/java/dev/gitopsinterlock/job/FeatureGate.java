package dev.gitopsinterlock.job;

/** What decides whether a server knows an exception or a field. */
enum FeatureGate {
    ON,
    OFF,
    /** The version is not known, so anybody's version and gates count. */
    UNKNOWN
}
