package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.Progress.Paused;
import dev.gitopsinterlock.gate.Progress.Removed;
import dev.gitopsinterlock.gate.Progress.RolledOut;
import dev.gitopsinterlock.gate.Progress.Superseded;
import dev.gitopsinterlock.gate.Progress.UnderWay;
import dev.gitopsinterlock.gate.Progress.Unknown;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * A rollout that was refused at least once, or that would have been: that one went on, and is looked at for as long as it
 * would have been held.
 *
 * @param rollout as it was at the last refusal
 * @param begun when it was refused for the first time
 * @param held what was said at the last refusal; where it is only observed, with all syncs that it would have waited for
 * @param isObserved whether nothing was refused
 * @param nodes that were to be sent on, the last one asked about at the end
 */
public record Hold(Rollout rollout, Instant begun, RolloutHeld held, boolean isObserved, List<String> nodes) {

    /** More of them help nobody. */
    private static final int MOST_SYNCS = 100;

    static final int MOST_NODES = 50;

    public Hold {
        nodes = List.copyOf(nodes);
    }

    /** A hold that begins with what was said about one Node. */
    static Hold started(Rollout rollout, Instant begun, RolloutHeld held, boolean isObserved) {
        return new Hold(rollout, begun, held, isObserved, held.node().isEmpty() ? List.of() : List.of(held.node()));
    }

    /** This hold as the continuation of an earlier one. */
    Hold after(Hold first) {
        var all = new LinkedHashSet<>(first.nodes);
        all.removeAll(nodes);
        all.addAll(nodes);
        var last = all.stream().skip(Math.max(0, all.size() - MOST_NODES)).toList();
        var later = new Hold(rollout, first.begun, held, isObserved, last);
        return isObserved && held.holder() instanceof Syncs
                ? later.with(first.held.holder().syncs())
                : later;
    }

    /** How a hold ended. Also a metric label, so the names are stable. */
    public enum End {
        /** No sync that counts is running any more. */
        SYNCS_ENDED("syncs ended"),
        /** No marked Job runs on the Node any more. */
        JOBS_ENDED("Jobs ended"),
        /** It lasted as long as it may. */
        LIMIT_REACHED("limit reached"),
        /** An upgrade of the cluster began. */
        UPGRADE("upgrade"),
        /** A person said that the rollout does not wait, or took its scope away. */
        OPTED_OUT("opted out"),
        /** A person paused it: nothing is tried any more. */
        PAUSED("paused"),
        /** The scope is to have something else now, whose rollout is one of its own. */
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

        /** Whether the maker may go on now, and only has to try. */
        boolean releasesRollout() {
            return this == SYNCS_ENDED || this == JOBS_ENDED || this == LIMIT_REACHED;
        }

        /** Whether somebody should know that the sync was not waited for. */
        public boolean isPremature() {
            return this == LIMIT_REACHED || this == UNKNOWN;
        }
    }

    /**
     * Whether it has ended, and why.
     *
     * @param syncs those that are running; empty where that is not known
     */
    public Optional<End> end(RestartMakers makers, Optional<List<RunningSync>> syncs, GatePolicy policy, Instant now) {
        return switch (makers.progressOf(rollout, begun, now)) {
            case Unknown() -> Optional.of(End.UNKNOWN);
            case Removed() -> Optional.of(End.OPTED_OUT);
            case Superseded() -> Optional.of(End.SUPERSEDED);
            // what is only observed is not kept from its Nodes, and would have been
            case RolledOut(var live) -> isObserved ? end(live, syncs, policy, now) : Optional.of(End.ROLLED_OUT);
            case Paused() -> Optional.of(End.PAUSED);
            case UnderWay(var live) -> end(live, syncs, policy, now);
        };
    }

    private Optional<End> end(Rollout live, Optional<List<RunningSync>> syncs, GatePolicy policy, Instant now) {
        return switch (GateRule.look(live, syncs, policy, now)) {
            case Gate.Open(var reason) -> Optional.of(end(reason));
            case Gate.Free(var _, var _, var _) when held.holder() instanceof Syncs -> Optional.of(End.SYNCS_ENDED);
            case Gate.Free(var _, var _, var onlyObserved) when onlyObserved -> Optional.of(End.OPTED_OUT);
            case Gate.Free(var _, var _, var _) -> limit(now);
            case Gate.Closed closed
            when closed.isObserved() && !isObserved && live.terms().syncHold() != SyncHold.ENABLED ->
                Optional.of(End.OPTED_OUT);
            case Gate.Closed closed
            when closed.isObserved() && !isObserved && held.holder() instanceof Syncs -> Optional.of(End.SYNCS_ENDED);
            case Gate.Closed(var _, var _, var _) -> limit(now);
        };
    }

    private Optional<End> limit(Instant now) {
        return now.isBefore(held.until()) ? Optional.empty() : Optional.of(End.LIMIT_REACHED);
    }

    /** This hold where it would wait for these syncs, too. */
    Hold with(Syncs syncs) {
        return new Hold(
                rollout,
                begun,
                new RolloutHeld(
                        held.scope(),
                        held.node(),
                        held.holder().syncs().and(syncs, MOST_SYNCS),
                        held.since(),
                        held.until()),
                isObserved,
                nodes);
    }

    /** What people are told when it begins. */
    public String startNote() {
        return isObserved ? held.observedNote() : held.startNote();
    }

    /** What people are told when it ends. */
    public String endNote(End end, Instant now) {
        var duration = Duration.between(begun, now);
        return isObserved
                ? RolloutText.wouldHaveBeenHeld(held.holder().syncs(), duration, end.words())
                : RolloutText.goesOn(
                        duration, end.words(), held.scope().retrigger().filter(retrigger -> end.releasesRollout()));
    }

    private static End end(RolloutReason reason) {
        return switch (reason) {
            case NO_SYNC -> End.SYNCS_ENDED;
            case UPGRADE -> End.UPGRADE;
            case OPTED_OUT -> End.OPTED_OUT;
            case SKIPPED,
                    POLICY,
                    NO_ROLLOUT,
                    RESTARTS_NOTHING,
                    DRY_RUN,
                    OBSERVED,
                    NO_POOL,
                    NO_PLAN,
                    UNTRUSTED,
                    LIMIT_REACHED,
                    UNKNOWN_SYNCS,
                    UNKNOWN_POOLS,
                    UNKNOWN_PLANS,
                    UNKNOWN_UPGRADE,
                    UNKNOWN_TARGET,
                    UNKNOWN_JOBS,
                    ROLLOUT_AHEAD -> End.UNKNOWN;
        };
    }
}
