package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.Hold.End;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rollouts that this replica has refused. No rule depends on it but for one thing: a hold that is remembered is never
 * made longer. Thread-safe; nothing blocks.
 */
public final class HoldMemory {

    private final Map<Key, Hold> open = new HashMap<>();

    /** Also of holds that have ended: a rollout that goes on is the same one, and has been held once already. */
    private final Map<Key, Refusal> refusals = new HashMap<>();

    private record Key(String scopeUid, String target) {
        static Key of(Rollout rollout) {
            return new Key(rollout.scope().object().uid(), rollout.target());
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

    /** When this rollout was first refused. */
    public synchronized Optional<Instant> since(Rollout rollout) {
        return Optional.ofNullable(refusals.get(Key.of(rollout))).map(Refusal::since);
    }

    /**
     * To be told of every refusal.
     *
     * @return the hold, if this begins one
     */
    public synchronized Optional<Hold> refused(Rollout rollout, RolloutHeld held, Instant now) {
        var key = Key.of(rollout);
        var limit = Duration.between(held.since(), held.until());
        refusals.putIfAbsent(key, new Refusal(rollout, now, now.plus(limit).plus(limit)));
        var before = open.get(key);
        var hold = new Hold(rollout, before == null ? now : before.begun(), held);
        open.put(key, hold);
        return before == null ? Optional.of(hold) : Optional.empty();
    }

    /**
     * Takes out the holds that have ended, and forgets the refusals that nobody can need any more.
     *
     * @param syncs those that are running; empty where that is not known
     */
    public synchronized List<Ended> ended(
            RebootMakers makers, Optional<List<RunningSync>> syncs, GatePolicy policy, Instant now) {
        var ended = new ArrayList<Ended>();
        open.values()
                .removeIf(hold -> hold.end(makers, syncs, policy, now)
                        .filter(end -> ended.add(new Ended(hold, end)))
                        .isPresent());
        refusals.values()
                .removeIf(refusal -> now.isAfter(refusal.until())
                        || makers.progressOf(refusal.rollout(), refusal.since(), now)
                                .isOver());
        return ended;
    }

    /** How many rollouts are held now. */
    public synchronized int size() {
        return open.size();
    }

    /** For how long the oldest hold has lasted; zero without any. */
    public synchronized Duration age(Instant now) {
        return open.values().stream()
                .map(hold -> Duration.between(hold.begun(), now))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }
}
