package dev.gitopsinterlock.admission;

import java.time.Duration;

/**
 * What is known of a request beside what it says.
 *
 * @param caller who sent it
 * @param patience how long the caller still waits
 * @param leavesRoom whether there is memory for more than the answer
 */
public record Asking(Caller caller, Patience patience, boolean leavesRoom) {

    /** Runs out: to be asked when it is needed, and not before. */
    public interface Patience {
        /** Until the caller stops waiting for the answer; negative once it has. */
        Duration remaining();
    }
}
