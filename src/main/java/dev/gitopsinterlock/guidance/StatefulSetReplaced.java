package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.admission.Wording;

/**
 * An edit that was carried out by putting a new StatefulSet in the place of the old one.
 *
 * @param how what happened
 * @param name of both
 */
public record StatefulSetReplaced(How how, String name) implements Warning {

    /** What happened. */
    public enum How {
        REPLACED,
        WOULD_REPLACE,
        /** What still differs is what others' webhooks make of it. */
        ALREADY_REPLACED,
        /** Beside one of the others: claim templates changed, and claims that exist do not follow. */
        CLAIMS_KEPT
    }

    @Override
    public String text(GuidancePages pages) {
        var cut = Wording.cut(name);
        return switch (how) {
            case REPLACED -> "StatefulSet %s was replaced; its Pods were left running".formatted(cut);
            case WOULD_REPLACE -> "StatefulSet %s would be replaced; its Pods would be left running".formatted(cut);
            case ALREADY_REPLACED ->
                "StatefulSet %s already has this edit, as changed by other webhooks".formatted(cut);
            case CLAIMS_KEPT -> "PersistentVolumeClaims that exist stay as they are: change or resize those by hand";
        };
    }
}
