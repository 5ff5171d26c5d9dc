package dev.gitopsinterlock.page;

import dev.gitopsinterlock.gate.Hold.End;
import dev.gitopsinterlock.status.HeldRollout;
import dev.gitopsinterlock.status.When;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Rollouts that wait, would wait, or have waited lately, on one line of time. Places are percentages of its length, as SVG
 * takes them: a style sheet that is strict about where it comes from lets no style stand in the page.
 *
 * @param ticks of its scale
 * @param now where this moment is
 * @param bars the oldest that lasts first, then those that have ended, the newest first
 */
public record Timeline(List<Tick> ticks, String now, List<Bar> bars) {

    private static final int STEPS = 4;

    public Timeline {
        ticks = List.copyOf(ticks);
        bars = List.copyOf(bars);
    }

    /** A moment of the scale. */
    public record Tick(String x, String time) {}

    /**
     * A rollout.
     *
     * @param scope its name, with its noun before it
     * @param target what its Nodes are to have
     * @param state "held", "observed" or "ended"
     * @param words how that stands, in one or two sentences
     * @param syncs that it waits for
     * @param nodes that were held back, or would have been
     * @param override the command that lets it go on now; empty where nothing waits
     * @param elapsed from its beginning until now, or until its end
     * @param ahead what it may wait yet
     */
    public record Bar(
            String scope,
            String target,
            String state,
            String words,
            List<String> syncs,
            List<String> nodes,
            String override,
            Span elapsed,
            Span ahead) {}

    /** A part of the line. */
    public record Span(String x, String width) {}

    /** The moments that the line reaches from and to. */
    private record Scale(Instant from, Instant to) {

        double share(Instant moment) {
            var length = Math.max(1, Duration.between(from, to).toMillis());
            return Math.clamp(100.0 * Duration.between(from, moment).toMillis() / length, 0, 100);
        }

        Span span(Instant begin, Instant end) {
            return new Span(percent(share(begin)), percent(Math.max(0, share(end) - share(begin))));
        }

        static String percent(double share) {
            return String.format(Locale.ROOT, "%.2f%%", share);
        }

        List<Tick> ticks(Instant now) {
            var step = Duration.between(from, to).dividedBy(STEPS);
            return Stream.iterate(from, tick -> tick.plus(step))
                    .limit(STEPS + 1)
                    .map(tick ->
                            new Tick(percent(share(tick)), When.of(tick, now).clock()))
                    .toList();
        }
    }

    static Timeline of(List<HeldRollout> rollouts, Instant now) {
        var scale = new Scale(
                rollouts.stream()
                        .map(HeldRollout::since)
                        .min(Instant::compareTo)
                        .orElse(now),
                Stream.concat(Stream.of(now), rollouts.stream().map(HeldRollout::until))
                        .max(Instant::compareTo)
                        .orElse(now));
        return new Timeline(
                scale.ticks(now),
                Scale.percent(scale.share(now)),
                rollouts.stream().map(each -> bar(each, scale, now)).toList());
    }

    private static Bar bar(HeldRollout rollout, Scale scale, Instant now) {
        var scope = rollout.scope();
        var isOver = rollout.end().isPresent();
        var elapsed = isOver ? rollout.until() : now;
        return new Bar(
                "%s %s".formatted(scope.noun(), scope.name()),
                rollout.target(),
                isOver ? "ended" : rollout.isObserved() ? "observed" : "held",
                rollout.end().map(end -> over(rollout, end, now)).orElseGet(() -> lasting(rollout, now)),
                rollout.holder().names(),
                rollout.nodes(),
                rollout.isHeld() ? scope.override() : "",
                scale.span(rollout.since(), elapsed),
                scale.span(elapsed, rollout.until()));
    }

    private static String lasting(HeldRollout rollout, Instant now) {
        return "%s since %s (%s); goes on at %s at the latest (%s)."
                .formatted(
                        rollout.isObserved() ? "Would be held" : "Held",
                        When.of(rollout.since(), now).clock(),
                        When.words(Duration.between(rollout.since(), now)),
                        When.of(rollout.until(), now).clock(),
                        When.of(rollout.until(), now).distance());
    }

    private static String over(HeldRollout rollout, End end, Instant now) {
        return "%s for %s, until %s: %s."
                .formatted(
                        rollout.isObserved() ? "Would have been held" : "Held",
                        When.words(Duration.between(rollout.since(), rollout.until())),
                        When.of(rollout.until(), now).clock(),
                        end.words());
    }
}
