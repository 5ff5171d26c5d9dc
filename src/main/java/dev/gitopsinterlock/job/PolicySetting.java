package dev.gitopsinterlock.job;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One setting of the policy: where it is written and which values it has.
 *
 * @param annotation its key on a Job or a Namespace
 * @param allowed the values, as they are told to people
 * @param parser gives nothing for a value that does not exist
 */
public record PolicySetting<T>(String annotation, List<String> allowed, Function<String, Optional<T>> parser) {

    /** Prefix of every annotation of ours. */
    public static final String PREFIX = "gitops-interlock.dev/";

    /** Long enough for any use, short enough for the API server's 32 bits. */
    private static final int MAX_DIGITS = 9;

    public static final PolicySetting<OnImmutableChange> ON_IMMUTABLE_CHANGE =
            words("on-immutable-change", OnImmutableChange.values());

    public static final PolicySetting<WhenActive> WHEN_ACTIVE = words("when-active", WhenActive.values());

    public static final PolicySetting<Integer> TTL_SECONDS_AFTER_FINISHED = new PolicySetting<>(
            PREFIX + "ttl-seconds-after-finished", List.of("whole numbers of seconds"), PolicySetting::seconds);

    public static final PolicySetting<Boolean> GENERATE_NAME = new PolicySetting<>(
            PREFIX + "generate-name",
            List.of("false", "true"),
            word -> Optional.ofNullable(Map.of("true", true, "false", false).get(word)));

    public PolicySetting {
        allowed = List.copyOf(allowed);
    }

    public Optional<T> parse(String word) {
        return parser.apply(word);
    }

    private static <T extends PolicyWord> PolicySetting<T> words(String name, T[] values) {
        return new PolicySetting<>(PREFIX + name, PolicyWord.words(values), word -> PolicyWord.parse(values, word));
    }

    private static Optional<Integer> seconds(String text) {
        return text.matches("[0-9]{1," + MAX_DIGITS + "}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }
}
