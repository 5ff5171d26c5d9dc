package dev.gitopsinterlock.kinds;

import dev.gitopsinterlock.admission.Reason;

/** Why an edit is let through. */
enum ObjectEditReason implements Reason {
    /** The object or the sender is one that is left alone on principle. */
    NEVER_TOUCHED,
    /** The policy says so. */
    POLICY,
    /** The two objects cannot be compared; the API server decides. */
    UNSURE,
    /** Nothing that the API server would refuse as immutable differs. */
    NO_IMMUTABLE_CHANGE,
    /** The edit was carried out as a replacement, or would be if this were no dry run. */
    REPLACED,
    /** Somebody else replaced or deleted the object in the same moment; the API server reads it again. */
    SUPERSEDED,
    /** The live object is the one that was made for this edit; what differs, others' webhooks put there. */
    ALREADY_REPLACED,
    /** The API server will refuse it; the advice stands beside its answer. */
    WARNED;

    @Override
    public boolean isAudited() {
        return this == REPLACED || this == ALREADY_REPLACED;
    }
}
