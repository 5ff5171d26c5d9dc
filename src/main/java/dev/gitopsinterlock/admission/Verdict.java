package dev.gitopsinterlock.admission;

import dev.gitopsinterlock.patch.JsonPatch;
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
}
