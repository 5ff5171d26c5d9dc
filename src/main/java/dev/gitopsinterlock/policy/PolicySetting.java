package dev.gitopsinterlock.policy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One setting of the policy: where it is written and which values it has.
 *
 * @param annotation its key on an object
 * @param allowed the values, as they are told to people
 * @param parser gives nothing for a value that does not exist
 */
public record PolicySetting<T>(String annotation, List<String> allowed, Function<String, Optional<T>> parser) {

    /** Prefix of every annotation of ours. */
    public static final String PREFIX = "gitops-interlock.dev/";

    /** Long enough for any use, short enough for the API server's 32 bits. */
    private static final int MAX_DIGITS = 9;

    public PolicySetting {
        allowed = List.copyOf(allowed);
    }

    public static <T extends PolicyValue> PolicySetting<T> words(String name, T[] values) {
        return new PolicySetting<>(PREFIX + name, PolicyValue.words(values), word -> PolicyValue.parse(values, word));
    }

    public static PolicySetting<Integer> seconds(String name) {
        return new PolicySetting<>(
                PREFIX + name,
                List.of("whole numbers of seconds"),
                text -> text.matches("[0-9]{1," + MAX_DIGITS + "}")
                        ? Optional.of(Integer.valueOf(text))
                        : Optional.empty());
    }

    public static PolicySetting<Boolean> trueOrFalse(String name) {
        return new PolicySetting<>(
                PREFIX + name,
                List.of("false", "true"),
                word -> Optional.ofNullable(Map.of("true", true, "false", false).get(word)));
    }

    public Optional<T> parse(String word) {
        return parser.apply(word);
    }
}
