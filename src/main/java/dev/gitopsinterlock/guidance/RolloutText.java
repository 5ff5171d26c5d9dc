package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * Turns what is known of a rollout that waits into words. Times are UTC, in whole minutes, rounded up. One line each;
 * names of objects, never a value of a MachineConfig; a warning of at most {@value Warning#MAX_LENGTH} characters.
 *
 * @param pages where the pages of the codes are, ending in a slash
 */
public record RolloutText(String pages) {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** More names help nobody. */
    private static final int MAX_NAMES = 3;

    private static final int MAX_NAME = 63;

    /** Without which the warning is not worth reading. */
    private static final int MIN_NAMES = 12;

    /** What the machine-config controller logs, and what its Events say. */
    public String message(RolloutHeld held) {
        return "%s. To let pool %s go on now: oc annotate --overwrite mcp %s %s=%s. %s: %s%s"
                .formatted(
                        reason(held),
                        held.pool(),
                        held.pool(),
                        SyncHold.SETTING.annotation(),
                        SyncHold.DISABLED.word(),
                        GuidanceCode.ROLLOUT_HELD.token(),
                        pages,
                        GuidanceCode.ROLLOUT_HELD.token());
    }

    /** Why, and until when. */
    public static String reason(RolloutHeld held) {
        return "held: Argo CD %s %s running; until %s UTC at the latest"
                .formatted(
                        syncs(held.syncs(), Denial.MAX_LENGTH),
                        held.syncs().size() == 1 ? "is" : "are",
                        time(held.until()));
    }

    /** Beside a change that is admitted. */
    String warning(RolloutAhead ahead) {
        var frame = "%s: rollout waits for Argo CD %s, until %s UTC at the latest";
        var room = Warning.MAX_LENGTH
                - frame.formatted("", "", time(ahead.latest())).length();
        var pools = names(
                ahead.pools(),
                Math.max(MIN_NAMES, room - syncs(ahead.syncs(), room).length()));
        return frame.formatted(pools, syncs(ahead.syncs(), room - pools.length()), time(ahead.latest()));
    }

    private static String syncs(List<String> names, int room) {
        var word = names.size() == 1 ? "sync " : "syncs ";
        return word + names(names, room - word.length());
    }

    /** As many names as fit, and how many are left out; at least a part of one. */
    private static String names(List<String> names, int room) {
        for (int count = Math.min(MAX_NAMES, names.size()); count > 0; count--) {
            var listed = String.join(
                    ", ",
                    names.stream().limit(count).map(name -> cut(name, MAX_NAME)).toList());
            var text = listed + more(names.size() - count);
            if (text.length() <= room) {
                return text;
            }
        }
        var more = more(names.size() - 1);
        return cut(names.getFirst(), Math.max(MIN_NAMES, room - more.length())) + more;
    }

    private static String more(int count) {
        return count == 0 ? "" : " and %d more".formatted(count);
    }

    private static String cut(String name, int room) {
        return name.length() <= room ? name : name.substring(0, room - 3) + "...";
    }

    private static String time(Instant instant) {
        var minute = instant.truncatedTo(ChronoUnit.MINUTES);
        return TIME.format(minute.equals(instant) ? minute : minute.plus(Duration.ofMinutes(1)));
    }
}
