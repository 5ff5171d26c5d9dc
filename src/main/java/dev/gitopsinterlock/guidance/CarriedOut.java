package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.admission.Wording;

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

    @Override
    public String text(GuidancePages pages) {
        var name = Wording.cut(job);
        return switch (how) {
            case REPLACED -> "Job %s was replaced and runs again".formatted(name);
            case WOULD_REPLACE -> "Job %s would be replaced and run again".formatted(name);
            case ALREADY_REPLACED -> "Job %s already has this edit, as changed by other webhooks".formatted(name);
            case RUN_STARTED -> "runs as Job %s; the live Job keeps its old spec".formatted(name);
            case WOULD_START_RUN -> "would run as Job %s; the live Job keeps its old spec".formatted(name);
            case ALREADY_RUN -> "this edit has run already, nothing was started; the live Job keeps its old spec";
        };
    }
}
