package dev.gitopsinterlock.admission;

import java.time.Duration;

/**
 * What is known of a request beside what it says.
 *
 * @param caller who sent it
 * @param deadline how long the caller still waits
 * @param hasMemory whether there is memory for more than the answer
 */
public record RequestContext(Caller caller, Deadline deadline, boolean hasMemory) {

    /** Runs out: to be asked when it is needed, and not before. */
    public interface Deadline {
        /** Until the caller stops waiting for the answer; negative once it has. */
        Duration remaining();
    }
}
