package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.RunningSync.Kind;
import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * How long rollouts wait, and for what.
 *
 * @param syncHold whether they wait at all
 * @param maxHold how long a rollout is held at most
 * @param maxHoldRequired how long one that upgrades of the cluster wait for
 * @param scope which syncs count
 * @param holdsForJobs whether Nodes wait for marked Jobs that run on them, too
 * @param sparesHarmless whether what restarts nothing goes on
 */
public record GatePolicy(
        SyncHold syncHold,
        Duration maxHold,
        Duration maxHoldRequired,
        SyncScope scope,
        boolean holdsForJobs,
        boolean sparesHarmless) {

    /** Whether syncs and rollouts are looked at, so that something is held or could have been. */
    public boolean isWatching() {
        return syncHold != SyncHold.DISABLED;
    }

    public Duration limit(Rollout rollout) {
        return rollout.terms().isRequiredForUpgrade() ? maxHoldRequired : maxHold;
    }

    /** The syncs that count, in the order of the alphabet. */
    public Syncs counted(List<RunningSync> syncs, Instant now) {
        return named(syncs.stream().filter(sync -> scope.counts(sync, now)).toList());
    }

    /** The syncs that count, without those that are only observed. */
    Syncs waitedFor(List<RunningSync> syncs, Instant now) {
        return named(syncs.stream()
                .filter(sync -> scope.counts(sync, now) && !sync.isOnlyObserved())
                .toList());
    }

    private static Syncs named(List<RunningSync> syncs) {
        return new Syncs(
                names(syncs, Kind.APPLICATION, RunningSync::name),
                names(syncs, Kind.KUSTOMIZATION, sync -> sync.namespace() + "/" + sync.name()),
                names(syncs, Kind.ANNOUNCED, RunningSync::name));
    }

    private static List<String> names(List<RunningSync> syncs, Kind kind, Function<RunningSync, String> name) {
        return syncs.stream()
                .filter(sync -> sync.kind() == kind)
                .map(name)
                .distinct()
                .sorted()
                .toList();
    }
}
