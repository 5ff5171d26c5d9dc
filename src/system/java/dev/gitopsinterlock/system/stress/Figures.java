package dev.gitopsinterlock.system.stress;

import dev.gitopsinterlock.testing.run.Percentile;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What became of a round.
 *
 * @param latencies in their order
 * @param refused what the client was told where an edit was not carried out
 * @param stuck Jobs whose Pods never came, with their status
 * @param lost Jobs that were answered with success and are not there, or are not the ones of the answer
 * @param twice Jobs with more than one new uid, or more than one Pod
 */
record Figures(
        Kind kind,
        Way way,
        int count,
        List<Duration> latencies,
        List<String> refused,
        List<String> stuck,
        List<String> lost,
        List<String> twice) {

    static final String HEAD = """
            | Jobs | how | count | refused | stuck | lost | twice | p50 ms | p90 ms | p99 ms | max ms |
            |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
            """;

    String row() {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d |%n",
                kind,
                way,
                count,
                refused.size(),
                stuck.size(),
                lost.size(),
                twice.size(),
                percentile(50),
                percentile(90),
                percentile(99),
                percentile(100));
    }

    private long percentile(int percent) {
        return Percentile.of(latencies, percent).toMillis();
    }

    /** For people who want to know why. */
    String faults() {
        var text = new StringBuilder();
        add(text, "refused", refused);
        add(text, "stuck", stuck);
        add(text, "lost", lost);
        add(text, "twice", twice);
        return text.toString();
    }

    private void add(StringBuilder text, String what, List<String> jobs) {
        jobs.forEach(job -> text.append("%s, %s, %s: %s%n".formatted(kind, way, what, job)));
    }
}
