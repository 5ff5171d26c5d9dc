package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;

/**
 * An annotation of a Pod template that counts on the Job alone.
 *
 * @param key one that is known
 */
public record MisplacedKey(String key) implements Warning {

    @Override
    public String text(GuidancePages pages) {
        return "move %s to the Job's own metadata: in the Pod template it does nothing".formatted(key);
    }
}
