package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import java.util.Objects;

/**
 * An edit that some supported API servers accept and others refuse. It is let through, and if it is refused the client
 * shows this beside the API server's own words.
 *
 * @param refused what helps in that case
 */
public record UncertainEdit(GuidanceCode refused) implements Warning {

    public UncertainEdit {
        Objects.requireNonNull(refused, "refused is null");
    }

    /** The API server's own words follow it, if they come. */
    @Override
    public String text(GuidancePages pages) {
        var whole = "if Kubernetes rejects this, see " + pages.of(refused.token());
        return pages.address().isPresent() && whole.length() <= MAX_LENGTH
                ? whole
                : "if Kubernetes rejects this, see gitops-interlock's page " + refused.token();
    }
}
