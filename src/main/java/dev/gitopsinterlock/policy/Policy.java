package dev.gitopsinterlock.policy;

import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.policy.ReplacementScope.Why;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The policy for one object and what is wrong with the way it was written.
 *
 * @param values what holds
 * @param findings policy annotations that say something unknown or that have no effect, the nearest level first
 */
public record Policy(Values values, List<Warning> findings) {

    public Policy {
        findings = List.copyOf(findings);
    }

    /**
     * A value for every setting.
     *
     * @param onImmutableChange what happens to an edit
     * @param whenActive what happens to one while the Job is not finished
     * @param ttlSecondsAfterFinished for new Jobs that have none; empty: none either
     * @param generateName whether a new Job's name becomes the beginning of a generated one
     * @param holdRestarts which new Jobs get the label that keeps their Nodes from restarting
     * @param doNotDisrupt whether Karpenter is asked the same of these; no annotation of ours says otherwise
     */
    public record Values(
            OnImmutableChange onImmutableChange,
            WhenActive whenActive,
            Optional<Integer> ttlSecondsAfterFinished,
            boolean generateName,
            HoldRestarts holdRestarts,
            boolean doNotDisrupt) {

        /** What holds where nobody says anything. */
        public static final Values DEFAULT = new Values(
                OnImmutableChange.REJECT, WhenActive.REJECT, Optional.empty(), false, HoldRestarts.NONE, false);

        public Values with(OnImmutableChange other) {
            return new Values(other, whenActive, ttlSecondsAfterFinished, generateName, holdRestarts, doNotDisrupt);
        }
    }

    /**
     * The three levels on which a policy can be set.
     *
     * @param cluster the settings of the installation
     * @param allowOverrides whether the other levels count
     * @param replacement whether edits are carried out at all
     * @param exemptNamespaces whose objects are exempt, whoever asks
     */
    public record Levels(
            Values cluster, boolean allowOverrides, ReplacementScope replacement, Set<String> exemptNamespaces) {

        public Levels {
            exemptNamespaces = Set.copyOf(exemptNamespaces);
        }

        public boolean isExempt(String namespace) {
            return exemptNamespaces.contains(namespace);
        }

        /**
         * The nearest level with a known value wins, for each setting by itself. A value that would have edits carried
         * out counts only as far as {@link ReplacementScope} goes; where it does not count, that is a finding.
         *
         * @param namespaceName the Job's Namespace
         * @param job annotations of the Job as it was submitted
         * @param namespace annotations of its Namespace, as the cluster has them; empty where they are not known (yet)
         */
        public Policy resolve(String namespaceName, Map<String, String> job, Map<String, String> namespace) {
            var reading = reading(namespaceName, Level.JOB, job, namespace);
            var onImmutableChange = onImmutableChange(reading);
            // nobody is told that a Job does not go on where nothing would be carried out in any case
            var whenActive =
                    onImmutableChange == OnImmutableChange.REPLACE || onImmutableChange == OnImmutableChange.PREVIEW
                            ? reading.of(PolicySettings.WHEN_ACTIVE, value -> value == WhenActive.REPLACE)
                                    .orElse(cluster.whenActive)
                            : reading.of(PolicySettings.WHEN_ACTIVE).orElse(cluster.whenActive);
            var values = new Values(
                    onImmutableChange,
                    whenActive,
                    reading.of(PolicySettings.TTL_SECONDS_AFTER_FINISHED).or(() -> cluster.ttlSecondsAfterFinished),
                    reading.of(PolicySettings.GENERATE_NAME).orElse(cluster.generateName),
                    reading.of(PolicySettings.HOLD_RESTARTS).orElse(cluster.holdRestarts),
                    cluster.doNotDisrupt);
            return new Policy(values, reading.findings);
        }

        /**
         * The policy for edits of an object, which counts for kinds beside Job, too.
         *
         * @param level of the object's own annotations
         */
        public Policy onImmutableChange(
                String namespaceName, Level level, Map<String, String> object, Map<String, String> namespace) {
            var reading = reading(namespaceName, level, object, namespace);
            return new Policy(Values.DEFAULT.with(onImmutableChange(reading)), reading.findings);
        }

        /**
         * For objects that are never changed on behalf of others: the nearest annotation that says something counts, and nobody
         * is told of one that has no effect.
         *
         * @param object annotations of the object as it was submitted
         * @param namespace annotations of its Namespace
         */
        public Policy withoutReplacement(Map<String, String> object, Map<String, String> namespace) {
            var setting = PolicySettings.ON_IMMUTABLE_CHANGE;
            var word = Stream.of(object, namespace)
                    .filter(annotations -> allowOverrides)
                    .map(annotations -> annotations.getOrDefault(setting.annotation(), ""))
                    .map(setting::parse)
                    .flatMap(Optional::stream)
                    .findFirst()
                    .orElse(cluster.onImmutableChange());
            return new Policy(Values.DEFAULT.with(word), List.of());
        }

        private PolicyReading reading(
                String namespaceName, Level level, Map<String, String> object, Map<String, String> namespace) {
            return new PolicyReading(
                    level,
                    allowOverrides ? object : Map.of(),
                    allowOverrides ? namespace : Map.of(),
                    obstacle(namespaceName),
                    replacement instanceof ReplacementScope.On(var jobAnnotations, var _) && jobAnnotations,
                    new ArrayList<>());
        }

        private OnImmutableChange onImmutableChange(PolicyReading reading) {
            return reading.of(PolicySettings.ON_IMMUTABLE_CHANGE, OnImmutableChange::hasEffect)
                    .orElseGet(() -> reading.obstacle().isPresent() && cluster.onImmutableChange.hasEffect()
                            ? OnImmutableChange.REJECT
                            : cluster.onImmutableChange);
        }

        private Optional<Why> obstacle(String namespace) {
            return switch (replacement) {
                case ReplacementScope.Off(var why) -> Optional.of(why);
                case ReplacementScope.On(var _, var namespaces) ->
                    namespaces.isEmpty() || namespaces.contains(namespace)
                            ? Optional.empty()
                            : Optional.of(Why.OTHER_NAMESPACES);
            };
        }
    }

    /**
     * One look at the annotations.
     *
     * @param level of the object's own
     * @param object the object's own
     * @param obstacle why nothing is carried out in this Namespace, whoever says so; empty where it may be
     * @param jobAnnotations whether the object's own annotation may say so
     */
    private record PolicyReading(
            Level level,
            Map<String, String> object,
            Map<String, String> namespace,
            Optional<Why> obstacle,
            boolean jobAnnotations,
            List<Warning> findings) {

        <T> Optional<T> of(PolicySetting<T> setting) {
            return of(setting, value -> false);
        }

        /** {@code switchesOn} tells the values that have an edit carried out. */
        <T> Optional<T> of(PolicySetting<T> setting, Predicate<T> switchesOn) {
            var nearest = read(setting, level, object, switchesOn);
            var next = read(setting, Level.NAMESPACE, namespace, switchesOn);
            return nearest.or(() -> next);
        }

        private <T> Optional<T> read(
                PolicySetting<T> setting, Level level, Map<String, String> annotations, Predicate<T> switchesOn) {
            var word = annotations.get(setting.annotation());
            if (word == null) {
                return Optional.empty();
            }
            var value = setting.parse(word);
            UnknownPolicyValue.in(setting, level, Optional.of(word)).ifPresent(findings::add);
            var why = value.filter(switchesOn).flatMap(on -> inVain(level));
            why.ifPresent(reason -> findings.add(new NotSwitchedOn(level, setting.annotation(), word, reason.words())));
            return why.isPresent() ? Optional.empty() : value;
        }

        private Optional<Why> inVain(Level level) {
            return obstacle.isPresent() || level == Level.NAMESPACE || jobAnnotations
                    ? obstacle
                    : Optional.of(Why.JOB_ANNOTATIONS_OFF);
        }
    }
}
