package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.Hold.End;
import dev.gitopsinterlock.gate.Holder.Jobs;
import dev.gitopsinterlock.gate.Holder.Syncs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rollouts that this replica has refused, or would have. No rule depends on it but for one thing: a hold that is
 * remembered is never made longer. Thread-safe; nothing blocks.
 *
 * <p>A rollout that is refused is tried again; one that is only observed is not. So it is looked at instead, and one that
 * nobody has proven is kept for a while, in case its scope says so.
 */
public final class HoldMemory {

    /** How many unproven holds are remembered: anybody can make them up. */
    private static final int MOST_UNPROVEN = 100;

    /** How many ended holds are remembered. */
    private static final int MOST_PAST = 20;

    /** Within which a scope says that it is under way, if it is. */
    private static final Duration LONGEST_LAG = Duration.ofSeconds(30);

    private final Map<Key, Hold> open = new HashMap<>();

    private final Map<Key, Hold> observed = new HashMap<>();

    /** Holds of which nobody knows yet whether they are real. */
    private final Map<Key, Hold> unproven = new HashMap<>();

    /** First refusals, also of holds that have ended: a rollout that goes on is the same one, and has been held once already. */
    private final Map<Key, Refusal> refusals = new HashMap<>();

    /** The last one is the newest. */
    private final Deque<Past> past = new ArrayDeque<>();

    /**
     * A rollout, or a Node of it.
     *
     * @param node that waits for Jobs of its own; empty where the whole rollout waits
     */
    private record Key(String scopeUid, String target, String node) {
        static Key of(Rollout rollout) {
            return of(rollout, "");
        }

        static Key of(Rollout rollout, String node) {
            return new Key(rollout.scope().object().uid(), rollout.target(), node);
        }

        static Key of(Hold hold) {
            return of(
                    hold.rollout(),
                    hold.held().holder() instanceof Jobs ? hold.held().node() : "");
        }
    }

    /**
     * A rollout that was refused.
     *
     * @param rollout as it was then
     * @param since when for the first time
     * @param until when it is forgotten, should it still be under way then
     */
    private record Refusal(Rollout rollout, Instant since, Instant until) {}

    /** A hold that has ended, and why. */
    public record Ended(Hold hold, End end) {}

    /** A hold that has ended, and when. */
    public record Past(Ended ended, Instant at) {}

    /** When this rollout was first refused, or would have been. */
    public synchronized Optional<Instant> since(Rollout rollout) {
        return Optional.ofNullable(refusals.get(Key.of(rollout))).map(Refusal::since);
    }

    /**
     * To be told of every refusal.
     *
     * @return the hold, if this begins one
     */
    public synchronized Optional<Hold> refused(Rollout rollout, RolloutHeld held, Instant now) {
        return begin(open, Hold.started(rollout, now, held, false));
    }

    /**
     * To be told of everything that would have been refused. What would have waited for Jobs is not kept.
     *
     * @return what would be a hold, if this begins one
     */
    public synchronized Optional<Hold> observed(Rollout rollout, RolloutHeld held, Instant now) {
        return begin(observed, Hold.started(rollout, now, held, true));
    }

    private Optional<Hold> begin(Map<Key, Hold> holds, Hold hold) {
        var key = Key.of(hold);
        var limit = Duration.between(hold.held().since(), hold.held().until());
        var refusal = new Refusal(
                hold.rollout(), hold.begun(), hold.begun().plus(limit).plus(limit));
        refusals.putIfAbsent(Key.of(hold.rollout()), refusal);
        if (hold.isObserved() && hold.held().holder() instanceof Jobs) {
            // when they would have ended nobody can find out: their Node restarts under them
            return refusals.putIfAbsent(key, refusal) == null ? Optional.of(hold) : Optional.empty();
        }
        var before = holds.get(key);
        if (before == null) {
            holds.put(key, hold);
            return Optional.of(hold);
        }
        holds.put(key, hold.after(before));
        return Optional.empty();
    }

    /** To be told of every refusal of which nobody has proven that it is real. */
    public synchronized void unproven(Rollout rollout, RolloutHeld held, Instant now) {
        var hold = Hold.started(rollout, now, held, true);
        if (unproven.size() < MOST_UNPROVEN) {
            unproven.merge(Key.of(hold), hold, (before, later) -> later.after(before));
        }
    }

    /**
     * Finds out which unproven holds are real, by what their scopes say.
     *
     * @return what would be a hold, and begins
     */
    public synchronized List<Hold> proven(RestartMakers makers, Instant now) {
        unproven.values().removeIf(hold -> !now.isBefore(hold.begun().plus(LONGEST_LAG)));
        var proven = new ArrayList<Hold>();
        unproven.values().removeIf(hold -> {
            var isReal = isReal(makers.progressOf(hold.rollout(), hold.begun(), now));
            if (isReal) {
                begin(observed, hold).ifPresent(proven::add);
            }
            return isReal;
        });
        return proven;
    }

    /** Before the lag is over, a scope counts as rolled out only if it became so since. */
    private static boolean isReal(Progress progress) {
        return switch (progress) {
            case Progress.UnderWay(var live) -> live.evidence().isConfirmed();
            case Progress.RolledOut(var _) -> true;
            case Progress.Unknown(), Progress.Removed(), Progress.Superseded(), Progress.Paused() -> false;
        };
    }

    /**
     * To be told of every rollout whose Node no marked Job holds any more.
     *
     * @return the hold that has ended with that, if there was one
     */
    public synchronized Optional<Ended> release(Rollout rollout, Instant now) {
        var ended = Optional.ofNullable(open.remove(Key.of(rollout, rollout.node())))
                .map(hold -> new Ended(hold, End.JOBS_ENDED));
        ended.ifPresent(each -> remember(each, now));
        return ended;
    }

    private void remember(Ended ended, Instant now) {
        past.addLast(new Past(ended, now));
        while (past.size() > MOST_PAST) {
            past.removeFirst();
        }
    }

    /**
     * Takes out the holds that have ended, or would have, and forgets the refusals that nobody can need any more.
     *
     * @param syncs those that are running; empty where that is not known
     */
    public synchronized List<Ended> ended(
            RestartMakers makers, Optional<List<RunningSync>> syncs, GatePolicy policy, Instant now) {
        var counted = syncs.map(running -> policy.counted(running, now)).orElse(Syncs.NONE);
        observed.replaceAll((key, hold) -> hold.with(counted));
        var ended = new ArrayList<Ended>();
        for (var holds : List.of(open, observed)) {
            holds.values()
                    .removeIf(hold -> hold.end(makers, syncs, policy, now)
                            .filter(end -> ended.add(new Ended(hold, end)))
                            .isPresent());
        }
        ended.forEach(each -> remember(each, now));
        refusals.values()
                .removeIf(refusal -> now.isAfter(refusal.until())
                        || makers.progressOf(refusal.rollout(), refusal.since(), now)
                                .isOver());
        return ended;
    }

    /** All that last now, and would, the oldest first. */
    public synchronized List<Hold> lasting() {
        return Stream.concat(open.values().stream(), observed.values().stream())
                .sorted(Comparator.comparing(Hold::begun))
                .toList();
    }

    /** The last that have ended, or would have, the newest first. */
    public synchronized List<Past> past() {
        return List.copyOf(past.reversed());
    }

    /** How many rollouts are held now. */
    public synchronized int size() {
        return open.size();
    }

    /** How many rollouts would be held now. */
    public synchronized int observed() {
        return observed.size();
    }

    /** For how long the oldest hold has lasted; zero without any. */
    public synchronized Duration age(Instant now) {
        return open.values().stream()
                .map(hold -> Duration.between(hold.begun(), now))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
