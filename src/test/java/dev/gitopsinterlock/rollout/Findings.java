package dev.gitopsinterlock.rollout;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What was seen in a run.
 *
 * @param told how often a node was told another configuration
 * @param within of these, those within a sync that counted
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
        int afterLimit,
        int refusals,
        int changes,
        int changesWithin,
        Duration longestHold,
        Duration length,
        List<String> faults) {

    static final String HEAD = """
            | seed | nodes | changes | within syncs | nodes told | within syncs | after the limit | refusals | longest hold s | length s |
            |--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
            """;

    String row() {
        return String.format(
                Locale.ROOT,
                "| %d | %d | %d | %d | %d | %d | %d | %d | %.1f | %.1f |%n",
                seed,
                nodes,
                changes,
                changesWithin,
                told,
                within,
                afterLimit,
                refusals,
                longestHold.toMillis() / 1e3,
                length.toMillis() / 1e3);
    }
}
