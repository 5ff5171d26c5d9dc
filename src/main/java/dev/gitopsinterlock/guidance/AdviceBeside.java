package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import java.util.Objects;

/**
 * The whole advice for an edit that Kubernetes itself is left to refuse. It is longer than other warnings, because it is
 * all that the client gets beside Kubernetes' own words: up to what a denial's message may be.
 *
 * @param edit that is certain to be refused
 */
public record AdviceBeside(RefusedEdit edit) implements Warning {

    public AdviceBeside {
        Objects.requireNonNull(edit, "edit is null");
    }

    @Override
    public String text(GuidancePages pages) {
        return edit.status(pages).message().replaceFirst(" was not changed, [^:]*: ", " cannot be changed in place: ");
    }
}
