package dev.gitopsinterlock.page;

import dev.gitopsinterlock.gate.Hold;
import dev.gitopsinterlock.gate.HoldMemory.Past;
import dev.gitopsinterlock.status.Facts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

    /** One that ended before is not shown. */
    private static final Duration PAST = Duration.ofHours(1);

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

    static Timeline of(Facts facts) {
        var now = facts.now();
        var past = facts.past().stream()
                .filter(each -> each.at().isAfter(now.minus(PAST)))
                .toList();
        var from = Stream.concat(
                        facts.holds().stream(),
                        past.stream().map(each -> each.ended().hold()))
                .map(Hold::begun)
                .min(Instant::compareTo)
                .orElse(now.minus(PAST));
        var to = facts.holds().stream()
                .map(hold -> hold.held().until())
                .filter(now::isBefore)
                .max(Instant::compareTo)
                .orElse(now);
        var scale = new Scale(from, to);
        var bars = new ArrayList<Bar>();
        facts.holds().forEach(hold -> bars.add(lasting(hold, facts, scale)));
        past.forEach(each -> bars.add(ended(each, facts, scale)));
        return new Timeline(scale.ticks(now), Scale.percent(scale.share(now)), bars);
    }

    private static Bar lasting(Hold hold, Facts facts, Scale scale) {
        var now = facts.now();
        var until = hold.held().until();
        var words = "%s since %s (%s); goes on at %s at the latest (%s)."
                .formatted(
                        hold.isObserved() ? "Would be held" : "Held",
                        When.of(hold.begun(), now).clock(),
                        When.words(Duration.between(hold.begun(), now)),
                        When.of(until, now).clock(),
                        When.of(until, now).distance());
        return bar(
                hold,
                hold.isObserved() ? "observed" : "held",
                words,
                hold.isObserved() ? "" : hold.held().scope().override(),
                scale.span(hold.begun(), now),
                scale.span(now, until));
    }

    private static Bar ended(Past past, Facts facts, Scale scale) {
        var hold = past.ended().hold();
        var words = "%s for %s, until %s: %s."
                .formatted(
                        hold.isObserved() ? "Would have been held" : "Held",
                        When.words(Duration.between(hold.begun(), past.at())),
                        When.of(past.at(), facts.now()).clock(),
                        past.ended().end().words());
        return bar(hold, "ended", words, "", scale.span(hold.begun(), past.at()), scale.span(past.at(), past.at()));
    }

    private static Bar bar(Hold hold, String state, String words, String override, Span elapsed, Span ahead) {
        var scope = hold.rollout().scope();
        return new Bar(
                "%s %s".formatted(scope.noun(), scope.name()),
                hold.rollout().target(),
                state,
                words,
                hold.held().holder().names(),
                hold.nodes().stream().sorted().toList(),
                override,
                elapsed,
                ahead);
    }
}
