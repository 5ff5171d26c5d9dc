package dev.gitopsinterlock.job;

import dev.gitopsinterlock.guidance.UnknownPolicyValue;
import dev.gitopsinterlock.guidance.UnknownPolicyValue.Level;
import dev.gitopsinterlock.policy.PolicySetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The policy for one Job and what is wrong with the way it was written.
 *
 * @param values what holds
 * @param findings policy annotations that say something unknown, the nearest level first
 */
public record JobPolicy(Values values, List<UnknownPolicyValue> findings) {

    public JobPolicy {
        findings = List.copyOf(findings);
    }

    /**
     * A value for every setting.
     *
     * @param onImmutableChange what happens to an edit
     * @param whenActive what happens to one while the Job is not finished
     * @param ttlSecondsAfterFinished for new Jobs that have none; empty: none either
     * @param generateName whether a new Job's name becomes the beginning of a generated one
     */
    public record Values(
            OnImmutableChange onImmutableChange,
            WhenActive whenActive,
            Optional<Integer> ttlSecondsAfterFinished,
            boolean generateName) {

        /** What holds where nobody says anything. */
        public static final Values DEFAULT =
                new Values(OnImmutableChange.REJECT, WhenActive.REJECT, Optional.empty(), false);

        public Values with(OnImmutableChange other) {
            return new Values(other, whenActive, ttlSecondsAfterFinished, generateName);
        }
    }

    /**
     * The three levels on which a policy can be set.
     *
     * @param cluster the settings of the installation
     * @param allowOverrides whether the other levels count
     */
    public record Levels(Values cluster, boolean allowOverrides) {

        /**
         * The nearest level with a known value wins, for each setting by itself.
         *
         * @param job annotations of the Job as it was submitted
         * @param namespace annotations of its Namespace; empty where they are not known (yet)
         */
        public JobPolicy resolve(Map<String, String> job, Map<String, String> namespace) {
            if (!allowOverrides) {
                return new JobPolicy(cluster, List.of());
            }
            var reading = new Reading(job, namespace, new ArrayList<>());
            var values = new Values(
                    reading.of(JobSettings.ON_IMMUTABLE_CHANGE).orElse(cluster.onImmutableChange),
                    reading.of(JobSettings.WHEN_ACTIVE).orElse(cluster.whenActive),
                    reading.of(JobSettings.TTL_SECONDS_AFTER_FINISHED).or(() -> cluster.ttlSecondsAfterFinished),
                    reading.of(JobSettings.GENERATE_NAME).orElse(cluster.generateName));
            return new JobPolicy(values, reading.findings);
        }
    }

    private record Reading(Map<String, String> job, Map<String, String> namespace, List<UnknownPolicyValue> findings) {

        <T> Optional<T> of(PolicySetting<T> setting) {
            var nearest = read(setting, Level.JOB, job);
            var next = read(setting, Level.NAMESPACE, namespace);
            return nearest.or(() -> next);
        }

        private <T> Optional<T> read(PolicySetting<T> setting, Level level, Map<String, String> annotations) {
            var word = annotations.get(setting.annotation());
            if (word == null) {
                return Optional.empty();
            }
            var value = setting.parse(word);
            if (value.isEmpty()) {
                findings.add(new UnknownPolicyValue(level, setting.annotation(), word, setting.allowed()));
            }
            return value;
        }
    }
}
