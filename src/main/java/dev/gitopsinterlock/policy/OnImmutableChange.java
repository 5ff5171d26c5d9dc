package dev.gitopsinterlock.policy;

/** What happens to an edit that the API server refuses, as an annotation or a setting says it. */
public enum OnImmutableChange implements PolicyValue {
    /** Refused, with advice. */
    REJECT,
    /** Left to the API server, with the advice beside its answer. */
    WARN,
    /** Refused, with advice and with what {@link #REPLACE} would have done. */
    PREVIEW,
    /** Carried out: the Job is deleted and recreated. */
    REPLACE,
    /** Carried out beside it: a new Job with a name of its own runs, the live one stays as it is. */
    GENERATE_NAME,
    /** Left to the API server. */
    IGNORE;

    /** Whether something is done, or tried, in the cluster because of an edit. */
    public boolean hasEffect() {
        return this == REPLACE || this == GENERATE_NAME || this == PREVIEW;
    }
}
