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
    NO_IMMUTABLE_CHANGE
}
