package dev.gitopsinterlock.gate;

/** What one change of an object begins. */
public sealed interface Beginning {

    /** No rollout, or not one of this maker. */
    record NoRollout(RolloutReason reason) implements Beginning {}

    /** A rollout of which too little is known to hold it. */
    record Unplaced(RolloutReason reason) implements Beginning {}

    /** This one, or its next step. */
    record Begins(Rollout rollout) implements Beginning {}
}
