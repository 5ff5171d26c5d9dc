package dev.gitopsinterlock.policy;

import java.util.Set;

/** Whether edits are carried out at all, as the cluster has it. Nothing that a Job or a Namespace says goes beyond it. */
public sealed interface ReplacementScope {

    /** No edit is carried out, whatever the policy says. */
    record Off(Why why) implements ReplacementScope {}

    /**
     * Edits are carried out where the policy says so.
     *
     * @param jobAnnotations whether a Job's own annotation can switch it on, as its Namespace's can
     * @param namespaces where; empty: everywhere
     */
    record On(boolean jobAnnotations, Set<String> namespaces) implements ReplacementScope {
        public On {
            namespaces = Set.copyOf(namespaces);
        }
    }

    /** What keeps an edit from being carried out where the policy says that it is to be. */
    enum Why {
        /** The default. */
        SWITCHED_OFF("gitops-interlock's value replacement.enabled is false"),
        /** Whoever reaches the port could have anything done in anybody's name. */
        NO_AUTHENTICATION("gitops-interlock needs callerToken or a client CA"),
        /** Edits are carried out in other Namespaces only. */
        OTHER_NAMESPACES("replacement.namespaces leaves this Namespace out"),
        /** Whoever may edit the Job would decide for the platform. */
        JOB_ANNOTATIONS_OFF("annotate the Namespace; replacement.allowJobAnnotations is false");

        private final String words;

        Why(String words) {
            this.words = words;
        }

        /** Short enough for a warning. */
        public String words() {
            return words;
        }
    }
}
