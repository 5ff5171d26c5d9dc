package dev.gitopsinterlock.testing.run;

import java.time.Duration;

/**
 * How long a test waits for what is bound to come. A wait ends when it is there, so this says only when a test gives up: late
 * enough for a machine that is many times slower than usual.
 */
public final class Patience {

    public static final Duration LIMIT = Duration.ofMinutes(5);

    private Patience() {}
}
