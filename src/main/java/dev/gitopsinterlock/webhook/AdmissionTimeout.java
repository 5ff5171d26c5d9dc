package dev.gitopsinterlock.webhook;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How long the API server waits for an answer, as it says in the query of its call: a duration as Go prints it. */
final class AdmissionTimeout {

    /** What the registration says, for a caller that says nothing. */
    private static final Duration OTHERWISE = Duration.ofSeconds(10);

    /** For the answer's way back. */
    private static final Duration RESERVE = Duration.ofMillis(500);

    private static final Pattern GO = Pattern.compile(
            "(?:(?<m>[0-9]{1,3})m)?(?:(?<s>[0-9]{1,4}(?:\\.[0-9]{1,9})?)s)?|(?<ms>[0-9]{1,6}(?:\\.[0-9]{1,9})?)ms");

    private AdmissionTimeout() {}

    static Duration of(@Nullable String timeout) {
        var matcher = GO.matcher(timeout == null ? "" : timeout);
        var whole = timeout == null || timeout.isEmpty() || !matcher.matches() ? OTHERWISE : duration(matcher);
        return whole.minus(RESERVE);
    }

    private static Duration duration(Matcher matcher) {
        var seconds = number(matcher.group("m")) * 60 + number(matcher.group("s")) + number(matcher.group("ms")) / 1000;
        return Duration.ofNanos((long) (seconds * 1_000_000_000L));
    }

    private static double number(@Nullable String digits) {
        return digits == null ? 0 : Double.parseDouble(digits);
    }
}
