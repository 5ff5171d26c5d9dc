package dev.gitopsinterlock.machineconfig;

import dev.gitopsinterlock.machineconfig.Hold.End;
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

    private record Key(String poolUid, String target) {}

    /**
     * A rollout that was refused.
     *
     * @param since when for the first time
     * @param until when it is forgotten, should it still be under way then
     */
    private record Refusal(Instant since, Instant until) {}

    /** A hold that has ended, and why. */
    public record Ended(Hold hold, End end) {}

    /** When this rollout was first refused. */
    public synchronized Optional<Instant> since(Pool pool, String target) {
        return Optional.ofNullable(refusals.get(new Key(pool.uid(), target))).map(Refusal::since);
    }

    /**
     * To be told of every refusal.
     *
     * @param pool as the cluster has it
     * @return the hold, if this begins one
     */
    public synchronized Optional<Hold> refused(Pool pool, String target, RolloutHeld held, Instant now) {
        var key = new Key(pool.uid(), target);
        var limit = Duration.between(held.since(), held.until());
        refusals.putIfAbsent(key, new Refusal(now, now.plus(limit).plus(limit)));
        var before = open.get(key);
        var hold = new Hold(pool, target, before == null ? now : before.begun(), held);
        open.put(key, hold);
        return before == null ? Optional.of(hold) : Optional.empty();
    }

    /** Takes out the holds that have ended, and forgets the refusals that nobody can need any more. */
    public synchronized List<Ended> ended(ClusterView cluster, GatePolicy policy, Instant now) {
        var ended = new ArrayList<Ended>();
        open.values()
                .removeIf(hold -> hold.end(cluster, policy, now)
                        .filter(end -> ended.add(new Ended(hold, end)))
                        .isPresent());
        refusals.entrySet()
                .removeIf(refusal -> now.isAfter(refusal.getValue().until())
                        || cluster.pools()
                                .filter(pools -> !isUnderWay(refusal.getKey(), refusal.getValue(), pools))
                                .isPresent());
        return ended;
    }

    private static boolean isUnderWay(Key key, Refusal refusal, List<Pool> pools) {
        return pools.stream()
                .filter(pool -> pool.uid().equals(key.poolUid()))
                .anyMatch(pool -> pool.isToHave(key.target(), refusal.since()));
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
