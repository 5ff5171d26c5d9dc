package dev.gitopsinterlock.effect;

import dev.gitopsinterlock.admission.Warning;
import java.util.List;

/**
 * An edit that is to be carried out in the cluster before its review is answered.
 *
 * @param effect what is to be done
 * @param warnings beside the answer, however it ends
 */
public record PlannedEffect(Effect effect, List<Warning> warnings) {
    public PlannedEffect {
        warnings = List.copyOf(warnings);
    }
}
