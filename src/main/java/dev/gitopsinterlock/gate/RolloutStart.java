package dev.gitopsinterlock.gate;

/** What one change of an object begins. */
public sealed interface RolloutStart {

    /** No rollout, or not one of this maker. */
    record NoRollout(RolloutReason reason) implements RolloutStart {}

    /** A rollout of which too little is known to hold it. */
    record Unassigned(RolloutReason reason) implements RolloutStart {}

    /** This one, or its next step. */
    record Begins(Rollout rollout) implements RolloutStart {}
}
