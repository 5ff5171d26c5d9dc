package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.gate.Holder.Jobs;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.Rollout.Retrigger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Turns what is known of a rollout that waits into words. Times are UTC, in whole minutes, rounded up. One line each;
 * names of objects, never a value of a MachineConfig; a warning of at most {@value Warning#MAX_LENGTH} characters.
 */
final class RolloutText {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** More names help nobody. */
    private static final int MAX_NAMES = 3;

    /** Without which the warning is not worth reading. */
    private static final int MIN_NAMES = 12;

    private static final String AND_FLUX = ", Flux";
    private static final String AND_OTHERS = ", etc.";

    /** For announced syncs that are told beside others. */
    private static final int ROOM_BESIDE = 100;

    /** After which a maker that doubles its waits is slow to notice that it may. */
    private static final Duration LONG = Duration.ofSeconds(20);

    private RolloutText() {}

    /** Why a rollout is held, and until when. */
    static String held(Holder holder, String node, Instant until) {
        var what = switch (holder) {
            case Syncs syncs -> running(syncs);
            case Jobs(var names) ->
                "%s %s on Node %s"
                        .formatted(
                                names(names, Denial.MAX_LENGTH), names.size() == 1 ? "runs" : "run", Wording.cut(node));
        };
        return "held: %s; until %s UTC at the latest".formatted(what, time(until));
    }

    private static String running(Syncs syncs) {
        var parts = new ArrayList<String>();
        if (!syncs.applications().isEmpty()) {
            parts.add("%s %s running"
                    .formatted(
                            applications(syncs.applications(), Denial.MAX_LENGTH),
                            syncs.applications().size() == 1 ? "is" : "are"));
        }
        if (!syncs.kustomizations().isEmpty()) {
            parts.add("%s %s reconciling"
                    .formatted(
                            kustomizations(syncs.kustomizations(), Denial.MAX_LENGTH),
                            syncs.kustomizations().size() == 1 ? "is" : "are"));
        }
        if (!syncs.announced().isEmpty()) {
            parts.add("%s, %s running"
                    .formatted(
                            fitting(syncs.announced(), parts.isEmpty() ? Denial.MAX_LENGTH : ROOM_BESIDE),
                            syncs.announced().size() == 1 ? "is" : "are"));
        }
        return String.join(", ", parts);
    }

    /**
     * What became of a rollout that was held.
     *
     * @param retrigger what makes its maker try again now; empty where nothing does, or there is nothing to try
     */
    static String goesOn(Duration after, String why, Optional<Retrigger> retrigger) {
        var now = "goes on after %s: %s".formatted(minutes(after), why);
        return retrigger
                .filter(known -> after.compareTo(LONG) >= 0)
                .map(known -> "%s. The next try can take as long again, at most %d s; to have it now: %s"
                        .formatted(now, known.longestPause().toSeconds(), known.command()))
                .orElse(now);
    }

    /** What would have become of a rollout that was not held. */
    static String wouldHaveBeenHeld(Syncs syncs, Duration time, String why) {
        return "would have been held for %s by %s: %s".formatted(minutes(time), named(syncs, Denial.MAX_LENGTH), why);
    }

    private static String minutes(Duration duration) {
        return "%d min %02d s".formatted(duration.toSeconds() / 60, duration.toSeconds() % 60);
    }

    /** Which pools will wait for which syncs. */
    static String ahead(List<String> pools, Syncs syncs, Instant latest) {
        var frame = "%s: rollout waits for %s, until %s UTC at the latest";
        var room = Warning.MAX_LENGTH - frame.formatted("", "", time(latest)).length();
        var waiting = names(pools, Math.max(MIN_NAMES, room - named(syncs, room).length()));
        return frame.formatted(waiting, named(syncs, room - waiting.length()), time(latest));
    }

    /** Syncs by their names; where there are several kinds, those of the first, and the others only as that. */
    private static String named(Syncs syncs, int room) {
        var andFlux = syncs.kustomizations().isEmpty() ? "" : AND_FLUX;
        if (!syncs.applications().isEmpty()) {
            var others = syncs.announced().isEmpty() ? andFlux : AND_OTHERS;
            return applications(syncs.applications(), room - others.length()) + others;
        }
        return syncs.announced().isEmpty()
                ? kustomizations(syncs.kustomizations(), room)
                : fitting(syncs.announced(), room - andFlux.length()) + andFlux;
    }

    private static String applications(List<String> names, int room) {
        return named(names.size() == 1 ? "Argo CD sync " : "Argo CD syncs ", names, room);
    }

    private static String kustomizations(List<String> names, int room) {
        return named(names.size() == 1 ? "Flux Kustomization " : "Flux Kustomizations ", names, room);
    }

    private static String named(String word, List<String> names, int room) {
        return word + names(names, room - word.length());
    }

    private static String names(List<String> names, int room) {
        return fitting(names.stream().map(Wording::cut).toList(), room);
    }

    /** As many names as fit, and how many are left out; at least a part of one. */
    private static String fitting(List<String> names, int room) {
        for (int count = Math.min(MAX_NAMES, names.size()); count > 0; count--) {
            var text = String.join(", ", names.subList(0, count)) + more(names.size() - count);
            if (text.length() <= room) {
                return text;
            }
        }
        var more = more(names.size() - 1);
        return Wording.cut(names.getFirst(), Math.max(MIN_NAMES, room - more.length())) + more;
    }

    private static String more(int count) {
        return count == 0 ? "" : " and %d more".formatted(count);
    }

    private static String time(Instant instant) {
        var minute = instant.truncatedTo(ChronoUnit.MINUTES);
        return TIME.format(minute.equals(instant) ? minute : minute.plus(Duration.ofMinutes(1)));
    }
}
