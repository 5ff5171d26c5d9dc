package dev.gitopsinterlock.certificate;

import java.time.Duration;

/** Where the serving pair comes from. Never throws for what it finds there. */
public interface PairSource {

    /** Before the port opens: what to begin with. */
    PairReading first();

    /** Once the service runs: looks again. Blocks. */
    PairReading read();

    /**
     * How long to wait until then.
     *
     * @param interval that is configured
     */
    default Duration nextLook(Duration interval) {
        return interval;
    }
}
