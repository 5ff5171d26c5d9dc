package dev.gitopsinterlock.admission;

import dev.gitopsinterlock.admission.Caller.ApiServer;

/** Hears of refused edits, to tell people who look at the object and do not see what its client was answered. */
@FunctionalInterface
public interface DenialListener {

    /**
     * Returns at once, and never throws.
     *
     * @param caller proven to be the API server: else anyone could have something written about any object
     * @param object as it is in the cluster
     */
    void refused(ApiServer caller, ObjectReference object, Denial denial);
}
