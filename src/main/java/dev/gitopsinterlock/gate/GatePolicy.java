package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * How long rollouts wait, and for what.
 *
 * @param syncHold whether they wait at all
 * @param maxHold how long a rollout is held at most
 * @param maxHoldRequired how long one that upgrades of the cluster wait for
 * @param scope which syncs count
 * @param holdsForJobs whether Nodes wait for marked Jobs that run on them, too
 */
public record GatePolicy(
        SyncHold syncHold, Duration maxHold, Duration maxHoldRequired, SyncScope scope, boolean holdsForJobs) {

    /** Whether syncs and rollouts are looked at, so that something is held or could have been. */
    public boolean isWatching() {
        return syncHold != SyncHold.DISABLED;
    }

    public Duration limit(Rollout rollout) {
        return rollout.treatment().isRequiredForUpgrade() ? maxHoldRequired : maxHold;
    }

    /** Names of the Applications whose syncs count, in the order of the alphabet. */
    public List<String> counted(List<RunningSync> syncs, Instant now) {
        return names(syncs.stream().filter(sync -> scope.counts(sync, now)));
    }

    /** The same without those that are only observed. */
    List<String> waitedFor(List<RunningSync> syncs, Instant now) {
        return names(syncs.stream().filter(sync -> scope.counts(sync, now) && !sync.isOnlyObserved()));
    }

    private static List<String> names(Stream<RunningSync> syncs) {
        return syncs.map(RunningSync::name).distinct().sorted().toList();
    }
}
