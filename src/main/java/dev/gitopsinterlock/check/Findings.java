package dev.gitopsinterlock.check;

import java.util.List;
import java.util.stream.Stream;

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

    /** These, then the others. */
    public Findings and(Findings others) {
        return new Findings(
                Stream.concat(open.stream(), others.open.stream()).toList(),
                Stream.concat(ignored.stream(), others.ignored.stream()).toList());
    }

    /** How many are open of one severity. */
    public long count(Severity severity) {
        return open.stream().filter(finding -> finding.severity() == severity).count();
    }
}
