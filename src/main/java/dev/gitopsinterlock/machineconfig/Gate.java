package dev.gitopsinterlock.machineconfig;

import java.util.List;

/** What the caches say about a Node's new configuration. */
public sealed interface Gate {

    /** Nothing holds it. */
    record Open(RolloutReason reason) implements Gate {}

    /**
     * It is held, unless its rollout began too long ago.
     *
     * @param pool the Node's
     * @param syncs names of the Applications that are waited for
     */
    record Closed(Pool pool, List<String> syncs) implements Gate {
        public Closed {
            syncs = List.copyOf(syncs);
        }
    }
}
