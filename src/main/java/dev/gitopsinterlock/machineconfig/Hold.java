package dev.gitopsinterlock.machineconfig;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A rollout that was refused at least once.
 *
 * @param pool the pool as it was at the last refusal
 * @param target the rendered MachineConfig that its Nodes wait for
 * @param begun when it was refused for the first time
 * @param held what was said at the last refusal
 */
public record Hold(Pool pool, String target, Instant begun, RolloutHeld held) {

    /** After which what is known of a pool is as new as a refusal, if it is ever going to be. */
    private static final Duration LONGEST_LAG = Duration.ofSeconds(30);

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
        /** A person paused the pool: nothing is tried any more. */
        PAUSED("paused"),
        /** The pool is to have another configuration now, whose rollout is one of its own. */
        SUPERSEDED("superseded"),
        /** All Nodes have it, each let through for a reason of its own. */
        ROLLED_OUT("rolled out"),
        /** It is not known any more what is going on. */
        UNKNOWN("the cluster cannot be read");

        private final String words;

        End(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }

        /** Whether somebody should know that the sync was not waited for. */
        public boolean isPremature() {
            return this == LIMIT_REACHED || this == UNKNOWN;
        }
    }

    /** Whether it has ended, and why. */
    public Optional<End> end(ClusterView cluster, GatePolicy policy, Instant now) {
        if (cluster.pools().isEmpty()) {
            return Optional.of(End.UNKNOWN);
        }
        return cluster.pools().get().stream()
                .filter(other -> other.uid().equals(pool.uid()))
                .findFirst()
                .map(live -> end(live, cluster, policy, now))
                .orElse(Optional.of(End.OPTED_OUT));
    }

    private Optional<End> end(Pool live, ClusterView cluster, GatePolicy policy, Instant now) {
        if (isSuperseded(live, now)) {
            return Optional.of(End.SUPERSEDED);
        }
        if (live.target().equals(target) && !live.isToHave(target, begun)) {
            return Optional.of(End.ROLLED_OUT);
        }
        if (live.isPaused()) {
            return Optional.of(End.PAUSED);
        }
        return switch (NodeGateRule.look(live, cluster, policy, now)) {
            case Gate.Open(var reason) -> Optional.of(end(reason));
            case Gate.Closed closed -> now.isBefore(held.until()) ? Optional.empty() : Optional.of(End.LIMIT_REACHED);
        };
    }

    /** What is known of the pool can be older than the refusal: it has to have changed since, or to have had the time. */
    private boolean isSuperseded(Pool live, Instant now) {
        return !live.target().equals(target)
                && (!live.target().equals(pool.target()) || now.isAfter(begun.plus(LONGEST_LAG)));
    }

    private static End end(RolloutReason reason) {
        return switch (reason) {
            case NO_SYNC -> End.SYNCS_ENDED;
            case UPGRADE -> End.UPGRADE;
            case OPTED_OUT -> End.OPTED_OUT;
            case NEVER_TOUCHED,
                    POLICY,
                    NO_ROLLOUT,
                    DRY_RUN,
                    NO_POOL,
                    UNTRUSTED,
                    LIMIT_REACHED,
                    UNKNOWN_SYNCS,
                    UNKNOWN_POOLS,
                    UNKNOWN_UPGRADE,
                    UNKNOWN_TARGET,
                    ROLLOUT_AHEAD -> End.UNKNOWN;
        };
    }
}
