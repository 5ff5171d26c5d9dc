package dev.gitopsinterlock.guidance;

/**
 * An edit that did not end as the client's request says, so that the client hears what happened instead.
 *
 * @param how what happened
 * @param job the Job that runs now, or would
 */
public record CarriedOut(How how, String job) implements Warning {

    /** What happened. */
    public enum How {
        REPLACED,
        WOULD_REPLACE,
        /** What still differs is what others' webhooks make of it. */
        ALREADY_REPLACED,
        RUN_STARTED,
        WOULD_START_RUN,
        ALREADY_RUN
    }
}
