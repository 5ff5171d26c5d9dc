package dev.gitopsinterlock.cli.report;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.Findings;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that one run has to say.
 *
 * @param findings of the change
 * @param objects how many of each kind the new side has that were looked at, by the kind's name
 * @param unrendered changed files that were left out because they have to be rendered first
 * @param unjudged a sentence for all else that was not looked at, and should have been
 * @param pages where each code is explained
 * @param version of this program
 */
public record Report(
        Findings findings,
        SortedMap<String, Integer> objects,
        List<String> unrendered,
        List<String> unjudged,
        GuidancePages pages,
        String version) {

    public Report {
        objects = Collections.unmodifiableSortedMap(new TreeMap<>(objects));
        unrendered = List.copyOf(unrendered);
        unjudged = List.copyOf(unjudged);
    }

    /** How it looks as a sentence. */
    public String summary() {
        var open = findings.open().size();
        return "%s checked, %s%s%s"
                .formatted(
                        objects.isEmpty()
                                ? "0 objects"
                                : objects.entrySet().stream()
                                        .map(each -> counted(each.getValue(), each.getKey()))
                                        .collect(joining(", ")),
                        open == 0
                                ? objects.isEmpty() && !unrendered.isEmpty()
                                        ? "so nothing was looked at"
                                        : "nothing found"
                                : open + (open == 1 ? " finding" : " findings"),
                        findings.ignored().isEmpty()
                                ? ""
                                : ", " + findings.ignored().size() + " ignored",
                        (unrendered.isEmpty() ? "" : "; " + untilRendered())
                                + (unjudged.isEmpty() ? "" : "; could not be judged: " + unjudged.size()));
    }

    /** Those that were left out. */
    String untilRendered() {
        return "not judged until rendered: " + String.join(", ", unrendered);
    }

    /** The address of the page that explains a code; empty where there is no page, or nobody has said where they are. */
    Optional<String> page(String code) {
        return Optional.of(code)
                .filter(known -> pages.address().isPresent() && pages.remedies().containsKey(known))
                .map(pages::of);
    }

    /** What would make findings better, where something would. */
    public Optional<String> hint() {
        return findings.open().stream().anyMatch(Finding::dependsOnTool)
                ? Optional.of(
                        "Some manifests do not show which tool applies them. Add --tool TOOL to get that tool's remedy.")
                : Optional.empty();
    }

    private static String counted(int number, String kind) {
        return number + " " + kind + (number == 1 ? "" : kind.endsWith("s") ? "es" : "s");
    }
}
