package dev.gitopsinterlock.certificate;

/** Where the serving pair comes from. Never throws for what it finds there. */
public interface PairSource {

    /** Before the port opens: what to begin with. */
    PairReading first();

    /** Once the service runs: looks again. Blocks. */
    PairReading read();
}
