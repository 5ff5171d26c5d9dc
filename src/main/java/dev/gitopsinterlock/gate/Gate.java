package dev.gitopsinterlock.gate;

import java.util.List;

/** What the caches say about a rollout. */
public sealed interface Gate {

    /** Nothing holds it. */
    record Open(RolloutReason reason) implements Gate {}

    /**
     * It is held, unless it began too long ago.
     *
     * @param rollout that waits
     * @param syncs names of the Applications that are waited for
     * @param isObserved whether it goes on all the same, and people are told that it would have waited
     */
    record Closed(Rollout rollout, List<String> syncs, boolean isObserved) implements Gate {
        public Closed {
            syncs = List.copyOf(syncs);
        }
    }
}
