package dev.gitopsinterlock.admission;

import dev.gitopsinterlock.guidance.JobEditGuidance;
import java.util.Objects;

/** What a rule says about a request. "No" is a value; a rule never throws to say it. */
public sealed interface Verdict {

    /** The request goes on unchanged; {@code because} is the rule's reason, for logs and tests. */
    record Allow(Because because) implements Verdict {
        public Allow {
            Objects.requireNonNull(because, "because is null");
        }
    }

    /** The request ends here, with advice. Given only where the API server is certain to refuse it too. */
    record Deny(JobEditGuidance guidance) implements Verdict {
        public Deny {
            Objects.requireNonNull(guidance, "guidance is null");
        }
    }

    /** Why a request is let through. Also a metric label, so the names are stable. */
    enum Because {
        /** Nothing that the API server would refuse as immutable differs. */
        NO_IMMUTABLE_CHANGE,
        /** The object or the sender is one that is left alone on principle. */
        NEVER_TOUCHED,
        /** The policy says so. */
        POLICY,
        /** The facts do not suffice for certainty; the API server decides. */
        UNSURE
    }
}
