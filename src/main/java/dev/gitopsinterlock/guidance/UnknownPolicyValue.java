package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.policy.PolicySetting;
import java.util.List;
import java.util.Optional;

/**
 * A policy annotation with a value that does not exist. The request goes on with the next level's value.
 *
 * @param level where the annotation is
 * @param annotation its key
 * @param value what it says; shown only where it looks like a mistyped word, because it could be anything
 * @param allowed the values that exist
 */
public record UnknownPolicyValue(Level level, String annotation, String value, List<String> allowed)
        implements Warning {

    public UnknownPolicyValue {
        allowed = List.copyOf(allowed);
    }

    /** What is wrong with an annotation, if it is there and anything is. */
    public static Optional<UnknownPolicyValue> in(PolicySetting<?> setting, Level level, Optional<String> word) {
        return word.filter(given -> setting.parse(given).isEmpty())
                .map(given -> new UnknownPolicyValue(level, setting.annotation(), given, setting.allowed()));
    }

    /** The levels on which a person can write a policy, those for Jobs the nearest first. */
    public enum Level {
        JOB("Job"),
        NAMESPACE("Namespace"),
        NODE("Node"),
        POOL("MachineConfigPool");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }
}
