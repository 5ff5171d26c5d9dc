package dev.gitopsinterlock.system.rollout;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What was seen in a run.
 *
 * @param told how often a node was told another configuration
 * @param within of these, those within a sync that counted
 * @param withinJobs of these, those while marked work ran on the node
 * @param afterLimit of these, those whose rollout had lasted as long as it may be held
 * @param changes changes of MachineConfigs and roles, and how many of them within a sync
 * @param longestHold from a node's first refusal until it was told
 * @param faults what must not be
 */
record Findings(
        long seed,
        int nodes,
        int told,
        int within,
        int withinJobs,
        int afterLimit,
        int refusals,
        int changes,
        int changesWithin,
        Duration longestHold,
        Duration length,
        List<String> faults) {

    static final String HEAD = """
            | seed | nodes | changes | within syncs | nodes told | within syncs | beside Jobs | after the limit | refusals | longest hold s | length s |
            |--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
            """;

    /** The last row of a table. */
    static String sum(List<Findings> runs) {
        return row(
                "all " + runs.size(),
                runs.stream().mapToInt(Findings::nodes).sum(),
                runs.stream().mapToInt(Findings::changes).sum(),
                runs.stream().mapToInt(Findings::changesWithin).sum(),
                runs.stream().mapToInt(Findings::told).sum(),
                runs.stream().mapToInt(Findings::within).sum(),
                runs.stream().mapToInt(Findings::withinJobs).sum(),
                runs.stream().mapToInt(Findings::afterLimit).sum(),
                runs.stream().mapToInt(Findings::refusals).sum(),
                runs.stream()
                        .map(Findings::longestHold)
                        .max(Comparator.naturalOrder())
                        .orElse(Duration.ZERO),
                runs.stream().map(Findings::length).reduce(Duration.ZERO, Duration::plus));
    }

    String row() {
        return row(
                Long.toString(seed),
                nodes,
                changes,
                changesWithin,
                told,
                within,
                withinJobs,
                afterLimit,
                refusals,
                longestHold,
                length);
    }

    private static String row(String name, Object... figures) {
        var cells = Arrays.stream(figures)
                .map(figure -> figure instanceof Duration time
                        ? String.format(Locale.ROOT, "%.1f", time.toMillis() / 1e3)
                        : figure.toString())
                .collect(Collectors.joining(" | "));
        return "| %s | %s |%n".formatted(name, cells);
    }
}
