package dev.gitopsinterlock.doctor;

import java.time.Duration;
import java.time.Instant;

/** From when until when a certificate is valid. */
public record Validity(String subject, Instant begin, Instant end) {

    /** Of its time; whoever renews certificates does so before that is all that is left. */
    private static final int LAST_PART = 12;

    boolean isOver(Instant now) {
        return !now.isBefore(end);
    }

    boolean isNearItsEnd(Instant now) {
        return Duration.between(now, end).compareTo(Duration.between(begin, end).dividedBy(LAST_PART)) < 0;
    }
}
