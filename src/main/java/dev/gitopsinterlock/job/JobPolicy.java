package dev.gitopsinterlock.job;

import dev.gitopsinterlock.guidance.UnknownPolicyValue;
import dev.gitopsinterlock.guidance.UnknownPolicyValue.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The policy for one Job and what is wrong with the way it was written.
 *
 * @param onImmutableChange what happens to an edit
 * @param findings policy annotations that say something unknown, the nearest level first
 */
public record JobPolicy(OnImmutableChange onImmutableChange, List<UnknownPolicyValue> findings) {

    /** Prefix of every annotation of ours. */
    public static final String PREFIX = "gitops-interlock.dev/";

    public static final String ON_IMMUTABLE_CHANGE = PREFIX + "on-immutable-change";

    public JobPolicy {
        findings = List.copyOf(findings);
    }

    /**
     * The three levels on which a policy can be set.
     *
     * @param cluster the setting of the installation
     * @param allowOverrides whether the other levels count
     */
    public record Levels(OnImmutableChange cluster, boolean allowOverrides) {

        /**
         * The nearest level with a known value wins.
         *
         * @param job annotations of the Job as it was submitted
         * @param namespace annotations of its Namespace; empty where they are not known (yet)
         */
        public JobPolicy resolve(Map<String, String> job, Map<String, String> namespace) {
            var findings = new ArrayList<UnknownPolicyValue>();
            if (allowOverrides) {
                var nearest = read(Level.JOB, job, findings);
                var next = read(Level.NAMESPACE, namespace, findings);
                return new JobPolicy(nearest.or(() -> next).orElse(cluster), findings);
            }
            return new JobPolicy(cluster, findings);
        }

        private static Optional<OnImmutableChange> read(
                Level level, Map<String, String> annotations, List<UnknownPolicyValue> findings) {
            var word = annotations.get(ON_IMMUTABLE_CHANGE);
            if (word == null) {
                return Optional.empty();
            }
            var value = OnImmutableChange.parse(word);
            if (value.isEmpty()) {
                findings.add(new UnknownPolicyValue(level, ON_IMMUTABLE_CHANGE, word, OnImmutableChange.words()));
            }
            return value;
        }
    }
}
