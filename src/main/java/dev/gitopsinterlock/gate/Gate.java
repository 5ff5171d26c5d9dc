package dev.gitopsinterlock.gate;

import java.util.Optional;

/** What the caches say about a rollout. */
public sealed interface Gate {

    /** Nothing holds it. */
    record Open(RolloutReason reason) implements Gate {}

    /** The cluster has to be asked before it is known what becomes of it. */
    sealed interface Unsettled extends Gate {
        Rollout rollout();
    }

    /**
     * No sync holds it; whether a marked Job holds the Node is not known.
     *
     * @param observed how it would be held by syncs that are only observed
     * @param isObserved whether a marked Job would hold it no more than these do
     */
    record Free(Rollout rollout, Optional<Closed> observed, boolean isObserved) implements Unsettled {}

    /**
     * The rollout is held, unless it began too long ago.
     *
     * @param rollout that waits
     * @param holder what is waited for
     * @param isObserved whether it goes on all the same, and people are told that it would have waited
     */
    record Closed(Rollout rollout, Holder holder, boolean isObserved) implements Unsettled {}
}
