package dev.gitopsinterlock.carryout;

import dev.gitopsinterlock.admission.Warning;
import java.util.List;

/**
 * An edit that is to be carried out in the cluster before its review is answered.
 *
 * @param effect what is to be done
 * @param warnings beside the answer, however it ends
 */
public record CarryOut(Effect effect, List<Warning> warnings) {
    public CarryOut {
        warnings = List.copyOf(warnings);
    }
}
