package dev.gitopsinterlock.check;

import java.util.List;

/**
 * What a check found.
 *
 * @param open to be looked at
 * @param ignored by an exception in the manifest or in a baseline
 */
public record Findings(List<Finding> open, List<Finding> ignored) {

    public static final Findings NONE = new Findings(List.of(), List.of());

    public Findings {
        open = List.copyOf(open);
        ignored = List.copyOf(ignored);
    }

    /** All of them, in their order. */
    public static Findings of(List<Findings> parts) {
        return new Findings(
                parts.stream().flatMap(part -> part.open.stream()).toList(),
                parts.stream().flatMap(part -> part.ignored.stream()).toList());
    }

    /** How many are open of one severity. */
    public long count(Severity severity) {
        return open.stream().filter(finding -> finding.severity() == severity).count();
    }
}
