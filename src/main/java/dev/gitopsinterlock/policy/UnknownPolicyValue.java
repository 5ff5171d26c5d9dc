package dev.gitopsinterlock.policy;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

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

    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z][A-Za-z-]{0,19}");

    public UnknownPolicyValue {
        allowed = List.copyOf(allowed);
    }

    /** What is wrong with an annotation, if it is there and anything is. */
    public static Optional<UnknownPolicyValue> in(PolicySetting<?> setting, Level level, Optional<String> word) {
        return word.filter(given -> setting.parse(given).isEmpty())
                .map(given -> new UnknownPolicyValue(level, setting.annotation(), given, setting.allowed()));
    }

    @Override
    public String text(GuidancePages pages) {
        var last = allowed.size() - 1;
        var values = last == 0
                ? allowed.getFirst()
                : String.join(", ", allowed.subList(0, last)) + " or " + allowed.getLast();
        var remedy = "use %s for %s on the %s".formatted(values, annotation, level.noun());
        var complaint = PLAIN_WORD.matcher(value).matches() ? value : "its value";
        var whole = remedy + "; " + complaint + " is unknown";
        var withoutDomain = whole.replace(annotation, annotation.replaceFirst(".*/", ""));
        return whole.length() <= MAX_LENGTH ? whole : withoutDomain.length() <= MAX_LENGTH ? withoutDomain : remedy;
    }

    /** The levels on which a person can write a policy. */
    public enum Level {
        JOB("Job"),
        STATEFUL_SET("StatefulSet"),
        NAMESPACE("Namespace"),
        NODE("Node"),
        POOL("MachineConfigPool");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        public String noun() {
            return word;
        }
    }
}
