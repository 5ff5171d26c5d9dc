package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.admission.Wording;

/**
 * A PUT of a manifest that suspends a Job which a queue has admitted: the queue would take it for its own doing, so
 * {@code spec.suspend} stays as it is.
 *
 * @param job its name
 */
public record SuspendKept(String job) implements Warning {

    @Override
    public String text(GuidancePages pages) {
        return "use the queue to stop Job %s: its spec.suspend stays false".formatted(Wording.cut(job));
    }
}
