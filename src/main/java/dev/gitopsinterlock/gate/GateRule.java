package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.Gate.Closed;
import dev.gitopsinterlock.gate.Gate.Free;
import dev.gitopsinterlock.gate.Gate.Open;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.RolloutStart.Begins;
import dev.gitopsinterlock.gate.RolloutStart.NoRollout;
import dev.gitopsinterlock.gate.RolloutStart.Unassigned;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.policy.UnknownPolicyValue;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * While a sync is running that counts, no rollout that restarts Nodes goes on; for a limited time.
 *
 * <p>In two steps: what is at hand says open or closed, and only if it says closed the age of the rollout has to be known
 * too. What is not known opens: a rollout that goes on is what would have happened without us. Where it is only to be
 * observed, all is found out as if it were held, and then it goes on.
 */
public final class GateRule {

    private GateRule() {}

    /**
     * The first step.
     *
     * @param syncs those that are running; empty where that is not known
     */
    public static Gate look(
            ObjectChange change,
            RestartMakers makers,
            Optional<List<RunningSync>> syncs,
            GatePolicy policy,
            Instant now) {
        if (!policy.isWatching()) {
            return new Open(RolloutReason.POLICY);
        }
        return switch (makers.startedBy(change)) {
            case NoRollout(var reason) -> new Open(reason);
            case Unassigned(var reason) -> new Open(skipped(change).orElse(reason));
            case Begins(var rollout) ->
                skipped(change)
                        .<Gate>map(Open::new)
                        .orElseGet(() -> look(rollout.withHold(holdSetting(change)), syncs, policy, now));
        };
    }

    /** What holds a rollout at this moment, for as long as its limit allows. */
    public static Gate look(Rollout rollout, Optional<List<RunningSync>> syncs, GatePolicy policy, Instant now) {
        if (rollout.terms().syncHold() == SyncHold.DISABLED) {
            return new Open(RolloutReason.OPTED_OUT);
        }
        if (syncs.isEmpty()) {
            return new Open(RolloutReason.UNKNOWN_SYNCS);
        }
        var exemption = rollout.terms().exemption();
        var isEnabled = policy.syncHold().weaker(rollout.terms().syncHold()) == SyncHold.ENABLED;
        var looksAtJobs = policy.holdsForJobs() && exemption.isEmpty();
        var counted = policy.counted(syncs.get(), now);
        if (counted.isEmpty()) {
            return looksAtJobs ? new Free(rollout, Optional.empty(), !isEnabled) : new Open(RolloutReason.NO_SYNC);
        }
        if (exemption.isPresent()) {
            return new Open(exemption.get());
        }
        var waitedFor = isEnabled ? policy.waitedFor(syncs.get(), now) : Syncs.NONE;
        if (!waitedFor.isEmpty()) {
            return new Closed(rollout, waitedFor, false);
        }
        var observed = new Closed(rollout, counted, true);
        return isEnabled && looksAtJobs ? new Free(rollout, Optional.of(observed), false) : observed;
    }

    /** What the request itself says, whatever goes on in the cluster. */
    private static Optional<RolloutReason> skipped(ObjectChange change) {
        if (change.dryRun()) {
            return Optional.of(RolloutReason.DRY_RUN);
        }
        return holdSetting(change) == SyncHold.DISABLED ? Optional.of(RolloutReason.OPTED_OUT) : Optional.empty();
    }

    /** What the object itself says. */
    private static SyncHold holdSetting(ObjectChange change) {
        return change.syncHold().flatMap(SyncHold.SETTING::parse).orElse(SyncHold.ENABLED);
    }

    /**
     * The second step.
     *
     * @param created when the rollout's revision was made; empty where that could not be found out
     * @param refusedSince when this rollout was first refused, as far as anybody here remembers; it can only shorten
     *     the hold, which would never end where nothing ever says that the rollout is under way
     */
    public static Decision conclude(
            ObjectChange change,
            Closed closed,
            Optional<Instant> created,
            Optional<Instant> refusedSince,
            GatePolicy policy,
            Instant now) {
        if (created.isEmpty()) {
            return allow(change, RolloutReason.UNKNOWN_TARGET);
        }
        return held(closed, created.get(), refusedSince, policy, now)
                .map(held -> closed.isObserved()
                        ? allow(change, RolloutReason.OBSERVED)
                        : withFindings(change, Decision.deny(held)))
                .orElseGet(() -> allow(change, RolloutReason.LIMIT_REACHED));
    }

    /**
     * What is said while a rollout waits, or would be; empty once it has waited as long as it may. The parameters are
     * those of the second step.
     */
    public static Optional<RolloutHeld> held(
            Closed closed, Instant created, Optional<Instant> refusedSince, GatePolicy policy, Instant now) {
        var rollout = closed.rollout();
        var begin = earlier(begin(rollout, created, now), refusedSince);
        var until = begin.plus(policy.limit(rollout));
        return now.isBefore(until)
                ? Optional.of(new RolloutHeld(rollout.scope(), rollout.node(), closed.holder(), begin, until))
                : Optional.empty();
    }

    /** Nobody stores when a rollout began; the later of these is the latest that it can have been. */
    private static Instant begin(Rollout rollout, Instant created, Instant now) {
        return rollout.evidence()
                .seenSince()
                .map(seen -> seen.isAfter(created) ? seen : created)
                .orElse(now);
    }

    private static Instant earlier(Instant begin, Optional<Instant> refusedSince) {
        return refusedSince.filter(since -> since.isBefore(begin)).orElse(begin);
    }

    /** The answer where the first step said open. */
    public static Decision allow(ObjectChange change, RolloutReason reason) {
        return withFindings(change, Decision.allow(reason));
    }

    private static Decision withFindings(ObjectChange change, Decision decision) {
        return decision.withWarnings(UnknownPolicyValue.in(SyncHold.SETTING, Level.NODE, change.syncHold()).stream()
                .toList());
    }
}
