package dev.gitopsinterlock.machineconfig;

import dev.gitopsinterlock.admission.Verdict.Because;
import dev.gitopsinterlock.guidance.RolloutHeld;
import java.time.Instant;
import java.util.Optional;

/**
 * A rollout that was refused at least once.
 *
 * @param pool the pool as it was then
 * @param target the rendered MachineConfig that its Nodes wait for
 * @param held what was said
 */
public record Hold(Pool pool, String target, RolloutHeld held) {

    /** How a hold ended. Also a metric label, so the names are stable. */
    public enum End {
        /** No sync that counts is running any more. */
        SYNCS_ENDED("syncs ended"),
        /** It lasted as long as it may. */
        LIMIT_REACHED("limit reached"),
        /** An upgrade of the cluster began. */
        UPGRADE("upgrade"),
        /** A person said that the pool does not wait, or took the pool away. */
        OPTED_OUT("opted out"),
        /** The pool is to have another configuration now, whose rollout is one of its own. */
        SUPERSEDED("superseded"),
        /** It is not known any more what is going on. */
        UNKNOWN("unknown");

        private final String words;

        End(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** Whether it has ended, and why. What an opted-out Node does is its own matter. */
    public Optional<End> end(ClusterView cluster, GatePolicy policy, Instant now) {
        if (cluster.pools().isEmpty()) {
            return Optional.of(End.UNKNOWN);
        }
        var live = cluster.pools().get().stream()
                .filter(other -> other.uid().equals(pool.uid()))
                .findFirst();
        if (live.isEmpty()) {
            return Optional.of(End.OPTED_OUT);
        }
        if (!live.get().target().equals(target)) {
            return Optional.of(End.SUPERSEDED);
        }
        return switch (NodeGateRule.look(live.get(), cluster, policy, now)) {
            case Gate.Open(var because) -> Optional.of(end(because));
            case Gate.Closed closed -> now.isBefore(held.until()) ? Optional.empty() : Optional.of(End.LIMIT_REACHED);
        };
    }

    private static End end(Because because) {
        return switch (because) {
            case NO_SYNC -> End.SYNCS_ENDED;
            case UPGRADE -> End.UPGRADE;
            case OPTED_OUT -> End.OPTED_OUT;
            default -> End.UNKNOWN;
        };
    }
}
