package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;

/**
 * A mark of Flux's library that is to have an object made anew and says so in other words.
 *
 * @param key one that is known
 */
public record ForceValue(String key) implements Warning {

    @Override
    public String text(GuidancePages pages) {
        return "remove %s: only enabled does anything, it has the object (and the data of a claim) deleted"
                .formatted(key);
    }
}
