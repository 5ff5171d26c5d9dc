package dev.gitopsinterlock.logging;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import org.jboss.logging.Logger;

/** Lets one message a minute through and counts the ones that it holds back. Thread-safe. */
public final class LogRateLimiter {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final InstantSource clock;
    private Optional<Instant> last = Optional.empty();
    private long heldBack;

    public LogRateLimiter(InstantSource clock) {
        this.clock = clock;
    }

    /** Warns, and says how many warnings were held back since the last one. */
    public void warn(Logger log, String warning) {
        next().ifPresent(heldBack -> log.warnf("%s (and %d more unlogged)", warning, heldBack));
    }

    /** How many were held back since the last one; empty if this one is to be held back too. */
    public synchronized OptionalLong next() {
        var now = clock.instant();
        if (last.isPresent() && now.isBefore(last.get().plus(MINUTE))) {
            heldBack++;
            return OptionalLong.empty();
        }
        last = Optional.of(now);
        var count = heldBack;
        heldBack = 0;
        return OptionalLong.of(count);
    }
}
