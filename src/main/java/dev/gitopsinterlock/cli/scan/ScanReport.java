package dev.gitopsinterlock.cli.scan;

import dev.gitopsinterlock.check.ScannedObject;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a scan found.
 *
 * @param found objects that something is to be said about, in the order in which the cluster lists them
 * @param objects how many each Namespace has that somebody can change
 * @param at when it was read
 * @param version of this program
 */
public record ScanReport(List<ScannedObject> found, SortedMap<String, Integer> objects, Instant at, String version) {

    public ScanReport {
        found = List.copyOf(found);
        objects = Collections.unmodifiableSortedMap(new TreeMap<>(objects));
    }

    /** The number of objects in all Namespaces. */
    int count() {
        return objects.values().stream().mapToInt(Integer::intValue).sum();
    }

    long refused() {
        return found.stream().filter(object -> object.refusal().isPresent()).count();
    }

    /** How many have marks that do nothing, or are not what they seem. */
    long mistaken() {
        return found.stream().filter(object -> !object.advice().isEmpty()).count();
    }
}
