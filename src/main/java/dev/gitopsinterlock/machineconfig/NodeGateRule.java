package dev.gitopsinterlock.machineconfig;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.machineconfig.Gate.Closed;
import dev.gitopsinterlock.machineconfig.Gate.Open;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.policy.UnknownPolicyValue;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;
import java.time.Instant;
import java.util.Optional;

/**
 * While an Argo CD sync is running, no Node begins to take a new configuration; for a limited time.
 *
 * <p>In two steps: what is at hand says open or closed, and only if it says closed the age of the Node's target has to
 * be known too. What is not known opens: a rollout that goes on is what would have happened without us.
 */
public final class NodeGateRule {

    private NodeGateRule() {}

    /** The first step. */
    public static Gate look(NodeChange change, ClusterView cluster, GatePolicy policy, Instant now) {
        return open(change, policy)
                .<Gate>map(Open::new)
                .orElseGet(() -> cluster.pools()
                        .map(pools -> NodePoolResolver.of(change, pools)
                                .map(pool -> look(pool, cluster, policy, now))
                                .orElseGet(() -> new Open(RolloutReason.NO_POOL)))
                        .orElseGet(() -> new Open(RolloutReason.UNKNOWN_POOLS)));
    }

    /** What holds the rollout of a pool at this moment, for as long as its limit allows. */
    static Gate look(Pool pool, ClusterView cluster, GatePolicy policy, Instant now) {
        if (pool.isOptedOut()) {
            return new Open(RolloutReason.OPTED_OUT);
        }
        if (cluster.syncs().isEmpty()) {
            return new Open(RolloutReason.UNKNOWN_SYNCS);
        }
        var syncs = policy.counted(cluster.syncs().get(), now);
        if (syncs.isEmpty()) {
            return new Open(RolloutReason.NO_SYNC);
        }
        return cluster.upgrading()
                .map(upgrading -> upgrading ? new Open(RolloutReason.UPGRADE) : new Closed(pool, syncs))
                .orElseGet(() -> new Open(RolloutReason.UNKNOWN_UPGRADE));
    }

    /** What the request itself says, whatever goes on in the cluster. */
    private static Optional<RolloutReason> open(NodeChange change, GatePolicy policy) {
        if (!policy.isEnabled()) {
            return Optional.of(RolloutReason.POLICY);
        }
        if (!change.user().equals(policy.controller())) {
            return Optional.of(RolloutReason.NEVER_TOUCHED);
        }
        if (!change.changesTarget() || change.isThere()) {
            return Optional.of(RolloutReason.NO_ROLLOUT);
        }
        if (change.dryRun()) {
            return Optional.of(RolloutReason.DRY_RUN);
        }
        return change.syncHold()
                .flatMap(SyncHold.SETTING::parse)
                .filter(SyncHold.DISABLED::equals)
                .map(disabled -> RolloutReason.OPTED_OUT);
    }

    /**
     * The second step.
     *
     * @param created when the target was made; empty where that could not be found out
     * @param refusedSince when this rollout was first refused, as far as anybody here remembers; it can only shorten
     *     the hold, which would never end for a pool that never says that it is updating
     */
    public static Decision conclude(
            NodeChange change,
            Closed closed,
            Optional<Instant> created,
            Optional<Instant> refusedSince,
            GatePolicy policy,
            Instant now) {
        if (created.isEmpty()) {
            return allow(change, RolloutReason.UNKNOWN_TARGET);
        }
        var begin = earlier(begin(closed.pool(), created.get(), now), refusedSince);
        var until = begin.plus(policy.limit(closed.pool()));
        return now.isBefore(until)
                ? withFindings(
                        change, Decision.deny(new RolloutHeld(closed.pool().name(), closed.syncs(), begin, until)))
                : allow(change, RolloutReason.LIMIT_REACHED);
    }

    /** Nobody stores when a rollout began; the later of these is the latest that it can have been. */
    private static Instant begin(Pool pool, Instant created, Instant now) {
        return pool.updatingSince()
                .map(updating -> updating.isAfter(created) ? updating : created)
                .orElse(now);
    }

    private static Instant earlier(Instant begin, Optional<Instant> refusedSince) {
        return refusedSince.filter(since -> since.isBefore(begin)).orElse(begin);
    }

    /** The answer where the first step said open. */
    public static Decision allow(NodeChange change, RolloutReason reason) {
        return withFindings(change, Decision.allow(reason));
    }

    private static Decision withFindings(NodeChange change, Decision decision) {
        return decision.withWarnings(UnknownPolicyValue.in(SyncHold.SETTING, Level.NODE, change.syncHold()).stream()
                .toList());
    }
}
