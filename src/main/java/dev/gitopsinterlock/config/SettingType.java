package dev.gitopsinterlock.config;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.policy.PolicySettings;
import dev.gitopsinterlock.policy.PolicyValue;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How the value of a setting is written: exact spelling only, and within its range.
 *
 * @param rule what a word must be, said of a wrong one in place of the word, which may be secret
 * @param parser gives nothing for a wrong word
 */
public record SettingType<T>(String rule, Function<String, Optional<T>> parser) {

    static final SettingType<Boolean> TRUE_OR_FALSE =
            matching("true|false", "must be true or false").map(Boolean::valueOf);

    /** A TTL, as the annotation takes it. */
    static final SettingType<Integer> SECONDS = new SettingType<>(
            "must be a whole number of seconds with at most 9 digits",
            PolicySettings.TTL_SECONDS_AFTER_FINISHED::parse);

    static final SettingType<Integer> COUNT = matching("[1-9][0-9]{0,3}", "must be a whole number between 1 and 9999")
            .map(Integer::valueOf);

    /** A call has ten seconds, and creating the Job needs some of them. */
    static final SettingType<Duration> UP_TO_FIVE_SECONDS =
            duration(Duration.ofSeconds(5), "must be a duration between 1 ms and 5 s, such as 500ms");

    static final SettingType<Duration> UP_TO_AN_HOUR =
            duration(Duration.ofHours(1), "must be a duration between 1 ms and 1 h, such as 10s");

    static final SettingType<Duration> UP_TO_A_DAY =
            duration(Duration.ofDays(1), "must be a duration between 1 ms and 24 h, such as 10s");

    static final SettingType<Duration> UP_TO_TEN_YEARS =
            duration(Duration.ofDays(3650), "must be a duration between 1 ms and 87600 h, such as 2160h");

    static final SettingType<String> TOKEN =
            matching("[a-z0-9]{20,253}", "must be at least 20 lowercase letters and digits");

    static final SettingType<String> SUBDOMAIN =
            matching("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?", "must be the name of an object");

    static final SettingType<String> SERVICE_ACCOUNT_USER = matching(
            "system:serviceaccount:[a-z0-9-]+:[a-z0-9.-]+",
            "must be a service account's user name, such as"
                    + " system:serviceaccount:openshift-machine-config-operator:machine-config-controller");

    static final SettingType<String> SYSTEM_USER = matching(
            "system:(serviceaccount:[a-z0-9-]+:[a-z0-9.-]+|[a-z0-9-]+)",
            "must be a user name of the system, such as system:serviceaccount:system-upgrade:system-upgrade");

    static final SettingType<List<String>> NAMESPACES =
            list("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", "must be names of Namespaces with commas between them");

    static final SettingType<List<String>> NAME_PATTERNS =
            list("[a-z0-9.*-]+", "must be names with commas between them, in which * stands for anything");

    static final SettingType<List<String>> HOSTS = list(
            "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?|[0-9a-f:]+",
            "must be DNS names or IP addresses with commas between them");

    static final SettingType<List<String>> WEBHOOK_CONFIGURATIONS = list(
            "(mutating|validating)webhookconfigurations/[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?",
            "must be names such as mutatingwebhookconfigurations/NAME with commas between them");

    static final SettingType<List<String>> COMMON_NAMES = list(".+", "must be names with commas between them");

    static final SettingType<Path> PATH = matching(".+", "must be a path").map(Path::of);

    static final SettingType<URI> COLLECTOR = matching(
                    "https?://[^/?#@\\s]+(/[^?#\\s]*)?", "must be an http or https address")
            .map(URI::create);

    /** With more characters, a denial would be cut where it says what to do. */
    static final SettingType<String> PAGES = matching(
                    "(?=.{0,80}$)https?://[^/?#@]+([/?#].*)?",
                    "must be an http or https address of at most 80 characters")
            .map(SettingType::template);

    static <T extends PolicyValue> SettingType<T> oneOf(T[] values) {
        return new SettingType<>(
                "must be one of " + String.join(", ", PolicyValue.words(values)),
                word -> PolicyValue.parse(values, word));
    }

    static SettingType<List<String>> oneOrMore(SettingType<List<String>> list) {
        return list.only(elements -> !elements.isEmpty());
    }

    private static SettingType<String> matching(String pattern, String rule) {
        return new SettingType<>(rule, word -> Optional.of(word).filter(text -> text.matches(pattern)));
    }

    /** Nothing between two commas does not matter; a comma that is part of an element has a backslash before it. */
    private static SettingType<List<String>> list(String pattern, String rule) {
        return new SettingType<>(
                rule,
                word -> Optional.of(elements(word))
                        .filter(elements -> elements.stream().allMatch(element -> element.matches(pattern))));
    }

    private static List<String> elements(String word) {
        return Stream.of(word.split("(?<!\\\\),", -1))
                .filter(element -> !element.isEmpty())
                .map(element -> element.replace("\\,", ","))
                .toList();
    }

    private static SettingType<Duration> duration(Duration longest, String rule) {
        return new SettingType<>(rule, Optional::of)
                .map(SettingType::duration)
                .only(value -> value.compareTo(Duration.ofMillis(1)) >= 0 && value.compareTo(longest) <= 0);
    }

    /** As Quarkus reads its own: seconds, a number with a unit, or ISO 8601. */
    private static Duration duration(String word) {
        var text = word.strip().toUpperCase(Locale.ROOT);
        if (text.matches("[-+]?[0-9]+MS")) {
            return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
        }
        if (text.matches("[-+]?[0-9]+")) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        if (text.matches("[-+]?P.*")) {
            return Duration.parse(text);
        }
        return Duration.parse((text.endsWith("D") ? "P" : "PT") + text);
    }

    /** An address without a code is that of the folder, with a slash at its end or without. */
    private static String template(String address) {
        // no address has braces, so a second code is refused
        URI.create(address.replaceFirst("\\{code}", "Code"));
        return address.contains(GuidancePages.CODE)
                ? address
                : address + (address.endsWith("/") ? "" : "/") + GuidancePages.CODE;
    }

    public boolean accepts(String word) {
        return parse(word).isPresent();
    }

    Optional<T> parse(String word) {
        return parser.apply(word);
    }

    /** This type, or nothing, which is written as nothing. */
    SettingType<Optional<T>> orNone() {
        return new SettingType<>(
                rule, word -> Optional.of(parse(word)).filter(value -> value.isPresent() || word.isEmpty()));
    }

    SettingType<T> only(Predicate<T> condition) {
        return new SettingType<>(rule, word -> parse(word).filter(condition));
    }

    /** What the function throws at makes a word a wrong one. */
    private <U> SettingType<U> map(Function<T, U> function) {
        return new SettingType<>(rule, word -> {
            try {
                return parse(word).map(function);
            } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
                return Optional.empty();
            }
        });
    }
}
