package dev.gitopsinterlock.cli.scan;

import dev.gitopsinterlock.check.ScannedJob;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a scan found.
 *
 * @param found Jobs that something is to be said about, in the order in which the cluster lists them
 * @param jobs how many Jobs each Namespace has that somebody can change
 * @param at when it was read
 * @param version of this program
 */
public record ScanReport(List<ScannedJob> found, SortedMap<String, Integer> jobs, Instant at, String version) {

    public ScanReport {
        found = List.copyOf(found);
        jobs = Collections.unmodifiableSortedMap(new TreeMap<>(jobs));
    }

    /** Of all Namespaces. */
    int count() {
        return jobs.values().stream().mapToInt(Integer::intValue).sum();
    }

    long refused() {
        return found.stream().filter(job -> job.refusal().isPresent()).count();
    }

    /** How many Jobs have marks that do nothing. */
    long mistaken() {
        return found.stream().filter(job -> !job.advice().isEmpty()).count();
    }
}
