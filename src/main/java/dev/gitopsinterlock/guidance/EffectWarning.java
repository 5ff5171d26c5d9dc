package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.admission.Wording;

/**
 * An edit that did not end as the client's request says, so that the client hears what happened instead.
 *
 * @param how what happened
 * @param kind of the object
 * @param name of the object that runs now, or would
 * @param podsStay whether it takes over the Pods of the one before it; otherwise it runs again
 */
public record EffectWarning(How how, String kind, String name, boolean podsStay) implements Warning {

    /** What happened. */
    public enum How {
        REPLACED,
        WOULD_REPLACE,
        /** What still differs is what others' webhooks make of it. */
        ALREADY_REPLACED,
        /** Given beside one of the others: claim templates changed, and claims that exist do not follow. */
        CLAIMS_KEPT,
        RUN_STARTED,
        WOULD_START_RUN,
        ALREADY_RUN
    }

    @Override
    public String text(GuidancePages pages) {
        var object = kind + " " + Wording.cut(name);
        return switch (how) {
            case REPLACED -> object + " was replaced" + (podsStay ? "; its Pods were left running" : " and runs again");
            case WOULD_REPLACE ->
                object + " would be replaced" + (podsStay ? "; its Pods would be left running" : " and run again");
            case ALREADY_REPLACED -> object + " already has this edit, as changed by other webhooks";
            case CLAIMS_KEPT -> "PersistentVolumeClaims that exist stay as they are: change or resize those by hand";
            case RUN_STARTED -> "runs as " + object + "; the live Job keeps its old spec";
            case WOULD_START_RUN -> "would run as " + object + "; the live Job keeps its old spec";
            case ALREADY_RUN -> "this edit has run already, nothing was started; the live Job keeps its old spec";
        };
    }
}
