package dev.gitopsinterlock.admission;

import java.util.Locale;
import java.util.Optional;

/** Why a request is let through. Each feature has an enum of its own. */
public interface Reason {

    /** The constant's. */
    String name();

    /** The spelling of this reason in log, metric and audit annotation; stable. */
    default String token() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the audit log says so, by a key of its own: something was changed. */
    default boolean isAudited() {
        return false;
    }

    /** What the log says, at most once a minute, where a fact was missing that should have been there. */
    default Optional<String> complaint() {
        return Optional.empty();
    }
}
