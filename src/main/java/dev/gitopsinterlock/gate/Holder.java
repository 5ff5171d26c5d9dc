package dev.gitopsinterlock.gate;

import java.util.List;

/** What a rollout waits for. */
public sealed interface Holder {

    /** In the order in which people are told; at least one. */
    List<String> names();

    /** Syncs, by the names of their Applications: all Nodes of the rollout wait. */
    record Syncs(List<String> names) implements Holder {
        public Syncs {
            names = List.copyOf(names);
        }
    }

    /** Marked Jobs, each with its kind and Namespace: the Node that they run on waits. */
    record Jobs(List<String> names) implements Holder {
        public Jobs {
            names = List.copyOf(names);
        }
    }
}
