package dev.gitopsinterlock.policy;

/** What happens to a Job edit that would be carried out as a replacement while the Job is not finished. */
public enum WhenActive implements PolicyValue {
    /** Refused, with advice. */
    REJECT,
    /** Carried out; the Pods of the old Job are stopped. */
    REPLACE
}
