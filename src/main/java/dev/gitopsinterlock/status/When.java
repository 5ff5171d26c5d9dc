package dev.gitopsinterlock.status;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * A moment, as people and machines read it.
 *
 * @param iso in UTC, for machines
 * @param clock in UTC; with the day where that is another one
 * @param distance from now, in the largest units that say something
 */
public record When(String iso, String clock, String distance) {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    public static When of(Instant moment, Instant now) {
        var isNear = moment.truncatedTo(ChronoUnit.DAYS).equals(now.truncatedTo(ChronoUnit.DAYS));
        var ahead = Duration.between(now, moment);
        return new When(
                moment.truncatedTo(ChronoUnit.SECONDS).toString(),
                (isNear ? TIME : DAY).format(moment),
                ahead.isPositive() ? "in " + words(ahead) : words(ahead.negated()) + " ago");
    }

    /** Two units at most: {@code 1 h 5 min}. */
    public static String words(Duration duration) {
        var seconds = duration.toSeconds();
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return two(seconds / 60, "min", seconds % 60, "s", seconds < 600);
        }
        if (seconds < 86_400) {
            return two(seconds / 3600, "h", seconds % 3600 / 60, "min", true);
        }
        return two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h", seconds < 7 * 86_400);
    }

    private static String two(long large, String unit, long small, String smaller, boolean isBothWorthIt) {
        return isBothWorthIt && small > 0
                ? "%d %s %d %s".formatted(large, unit, small, smaller)
                : "%d %s".formatted(large, unit);
    }
}
