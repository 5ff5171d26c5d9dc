package dev.gitopsinterlock.admission;

import dev.gitopsinterlock.guidance.Denial;
import dev.gitopsinterlock.patch.JsonPatch;
import java.util.Locale;
import java.util.Objects;

/** What a rule says about a request. "No" is a value; a rule never throws to say it. */
public sealed interface Verdict {

    /**
     * The request goes on, with the patch.
     *
     * @param reason the rule's reason
     * @param patch of the object as it was submitted
     */
    record Allow(Reason reason, JsonPatch patch) implements Verdict {
        public Allow {
            Objects.requireNonNull(reason, "reason is null");
            Objects.requireNonNull(patch, "patch is null");
        }

        /** The request goes on unchanged. */
        public Allow(Reason reason) {
            this(reason, JsonPatch.NONE);
        }
    }

    /**
     * The request ends here, with advice. A Job's edit only where the API server is certain to refuse it too; a Node's
     * only for a time.
     */
    record Deny(Denial denial) implements Verdict {
        public Deny {
            Objects.requireNonNull(denial, "denial is null");
        }
    }

    /** Something has to be done in the cluster first; what came of it decides about the request. */
    record CarryOut(Effect effect) implements Verdict {
        public CarryOut {
            Objects.requireNonNull(effect, "effect is null");
        }
    }

    /** Why a request is let through. */
    enum Reason {
        /** Nothing that the API server would refuse as immutable differs. */
        NO_IMMUTABLE_CHANGE,
        /** The object or the sender is one that is left alone on principle. */
        NEVER_TOUCHED,
        /** The policy says so. */
        POLICY,
        /** The facts do not suffice for certainty; the API server decides. */
        UNSURE,
        /** A PUT left out what the API server generated; it was put back. */
        REPAIRED,
        /** A new Job got what the policy wants. */
        DEFAULTED,
        /** The edit was carried out as a replacement, or would be if this were no dry run. */
        REPLACED,
        /** Somebody else replaced or deleted the Job in the same moment; the API server reads it again. */
        SUPERSEDED,
        /** The edit was carried out as a new Job beside the live one, or would be if this were no dry run. */
        RUN_STARTED,
        /** The same edit was carried out before. */
        ALREADY_RUN,
        /** The edit would be refused; a tool that only compares is shown a drift, so that it sends the edit and is told. */
        WOULD_BE_REFUSED,
        /** No Node is sent to a configuration that it does not run already. */
        NO_ROLLOUT,
        /** Nothing is stored, so that nothing begins. */
        DRY_RUN,
        /** The Node belongs to no pool. */
        NO_POOL,
        /** The review did not come in on the path that the registration must name. */
        UNTRUSTED,
        /** A person said that this pool or Node does not wait. */
        OPTED_OUT,
        /** No sync that counts is running. */
        NO_SYNC,
        /** The cluster is being upgraded, which restarts Nodes anyway and must not be held up. */
        UPGRADE,
        /** The rollout began so long ago that it is not held any longer. */
        LIMIT_REACHED,
        /** Which syncs are running is not known. */
        UNKNOWN_SYNCS,
        /** Which pools there are is not known. */
        UNKNOWN_POOLS,
        /** Whether the cluster is being upgraded is not known. */
        UNKNOWN_UPGRADE,
        /** How old the Node's target is could not be found out in time. */
        UNKNOWN_TARGET,
        /** A change that will be rolled out was admitted, and the rollout will wait. */
        ROLLOUT_AHEAD;

        /** Its one spelling, in log, metric and audit annotation; stable. */
        public String token() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether a fact was missing that should have been there. */
        public boolean isUnknown() {
            return switch (this) {
                case UNKNOWN_SYNCS, UNKNOWN_POOLS, UNKNOWN_UPGRADE, UNKNOWN_TARGET -> true;
                default -> false;
            };
        }
    }
}
