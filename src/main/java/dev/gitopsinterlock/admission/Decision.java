package dev.gitopsinterlock.admission;

import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.patch.JsonPatch;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A verdict with everything that is to be said beside it.
 *
 * <p>Idempotent by construction: the same facts give an equal decision, so that the API server may ask as often as
 * it likes for one request.
 *
 * @param verdict what happens to the request
 * @param warnings shown to the client whether or not the request is allowed, in this order
 */
public record Decision(Verdict verdict, List<Warning> warnings) {

    public Decision {
        Objects.requireNonNull(verdict, "verdict is null");
        warnings = List.copyOf(warnings);
    }

    public static Decision allow(Reason reason) {
        return new Decision(new Allow(reason), List.of());
    }

    public static Decision allow(Reason reason, JsonPatch patch) {
        return new Decision(new Allow(reason, patch), List.of());
    }

    public static Decision deny(Denial denial) {
        return new Decision(new Deny(denial), List.of());
    }

    /** This decision with further warnings after its own. */
    public Decision withWarnings(List<? extends Warning> added) {
        return new Decision(
                verdict, Stream.concat(warnings.stream(), added.stream()).toList());
    }
}
