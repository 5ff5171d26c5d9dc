package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A change on its way to Nodes, as it is known at one moment.
 *
 * @param maker the {@link RestartMaker#name name} of whoever rolls it out
 * @param scope whom it concerns
 * @param target what these are to have
 * @param evidence what tells that it goes on, and since when
 * @param terms how the gate treats it
 * @param node that is about to be sent there; empty where it is asked about all of them
 */
public record Rollout(String maker, Scope scope, String target, Evidence evidence, HoldTerms terms, String node) {

    /** This rollout where a Node is about to be sent there. */
    public Rollout to(String next) {
        return new Rollout(maker, scope, target, evidence, terms, next);
    }

    /** This rollout where a person has said how it is to be held. */
    Rollout withHold(SyncHold setting) {
        return new Rollout(
                maker,
                scope,
                target,
                evidence,
                new HoldTerms(terms.syncHold().weaker(setting), terms.isRequiredForUpgrade(), terms.exemption()),
                node);
    }

    /**
     * The Nodes that a rollout concerns: all that one object stands for.
     *
     * @param object on which people are told of holds
     * @param noun what it is called in a sentence: "pool"
     * @param override the command that lets its rollouts go on
     * @param retrigger what makes its maker try again at once; empty where nothing does
     */
    public record Scope(ObjectReference object, String noun, String override, Optional<Retrigger> retrigger) {

        public String name() {
            return object.name();
        }
    }

    /**
     * What spares people the pauses of a maker that comes back less and less often.
     *
     * @param command after which it tries again at once
     * @param longestPause for how long it pauses at most
     */
    public record Retrigger(String command, Duration longestPause) {}

    /**
     * What tells that a rollout goes on.
     *
     * @param announced what the scope itself says that it is to have, which can be older than the target; may be empty
     * @param isConfirmed whether the scope itself says that this rollout is under way
     * @param seenSince when the scope was first seen under way; empty while it is not
     * @param revision API path of the object that was made for this rollout: it cannot have begun before; empty where
     *     there is none
     */
    public record Evidence(
            String announced, boolean isConfirmed, Optional<Instant> seenSince, Optional<String> revision) {}

    /**
     * The terms on which the gate holds a rollout.
     *
     * @param syncHold what a person said about it; {@code ENABLED} where nobody did
     * @param isRequiredForUpgrade whether upgrades of the cluster wait for it, so that it is held for a shorter time
     * @param exemption why it is not held whatever syncs are running
     */
    public record HoldTerms(SyncHold syncHold, boolean isRequiredForUpgrade, Optional<RolloutReason> exemption) {}
}
