package dev.gitopsinterlock.policy;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;

/**
 * A policy annotation that asks for edits to be carried out where the cluster's settings do not allow it. The request
 * goes on with the next level's value.
 *
 * @param level where the annotation is
 * @param annotation its key
 * @param value what it says; one of the known values
 * @param why in a few words
 */
public record NotSwitchedOn(Level level, String annotation, String value, String why) implements Warning {

    @Override
    public String text(GuidancePages pages) {
        return "%s: %s on the %s has no effect: %s"
                .formatted(annotation.replaceFirst(".*/", ""), value, level.noun(), why);
    }
}
