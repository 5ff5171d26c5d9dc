package dev.gitopsinterlock.cli.report;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.check.Findings;
import java.util.List;

/**
 * All that one run has to say.
 *
 * @param findings of the change
 * @param objects how many the new side has that were looked at
 * @param templates files that were left out because they have to be rendered first
 * @param pages where each code is explained
 * @param version of this program
 */
public record Report(Findings findings, int objects, List<String> templates, GuidancePages pages, String version) {

    public Report {
        templates = List.copyOf(templates);
    }

    /** How it looks as a sentence. */
    public String summary() {
        var open = findings.open().size();
        return "%d %s checked, %s%s%s"
                .formatted(
                        objects,
                        objects == 1 ? "object" : "objects",
                        open == 0 ? "nothing found" : open + (open == 1 ? " finding" : " findings"),
                        findings.ignored().isEmpty()
                                ? ""
                                : ", " + findings.ignored().size() + " ignored",
                        templates.isEmpty()
                                ? ""
                                : "; %d %s left out, because it has to be rendered first: %s"
                                        .formatted(
                                                templates.size(),
                                                templates.size() == 1 ? "template" : "templates",
                                                String.join(", ", templates)));
    }
}
