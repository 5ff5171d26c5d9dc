package dev.gitopsinterlock.guidance;

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
}
