package dev.gitopsinterlock.edit;

import dev.gitopsinterlock.admission.Reason;

/** Why a request that creates or changes an object is let through. */
public enum EditReason implements Reason {
    /** The object or the sender is skipped on principle. */
    SKIPPED,
    /** The policy says so. */
    POLICY,
    /** The facts do not suffice for certainty; the API server decides. */
    UNSURE,
    /** Nothing that the API server would refuse as immutable differs. */
    NO_IMMUTABLE_CHANGE,
    /** A PUT left out what the API server generated; it was put back. */
    REPAIRED,
    /** A new Job got what the policy wants. */
    DEFAULTED,
    /** The edit was carried out as a replacement, or would be if this were no dry run. */
    REPLACED,
    /** Somebody else replaced or deleted the object in the same moment; the API server reads it again. */
    SUPERSEDED,
    /** The edit was carried out as a new Job beside the live one, or would be if this were no dry run. */
    RUN_STARTED,
    /** A new Job runs with this edit already; none is started. */
    ALREADY_RUN,
    /** The live object is the one that was made for this edit; what differs, others' webhooks put there. */
    ALREADY_REPLACED,
    /** The edit would be refused; a tool that only compares is shown a drift, so that it sends the edit and is told. */
    WOULD_BE_REFUSED,
    /** The API server will refuse it; the advice stands beside its answer. */
    WARNED;

    @Override
    public boolean isAudited() {
        return switch (this) {
            case REPAIRED, DEFAULTED, REPLACED, RUN_STARTED, ALREADY_RUN, ALREADY_REPLACED -> true;
            case SKIPPED, POLICY, UNSURE, NO_IMMUTABLE_CHANGE, SUPERSEDED, WOULD_BE_REFUSED, WARNED -> false;
        };
    }
}
