package dev.gitopsinterlock.check;

import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.policy.PolicySetting;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A manifest's wish not to be checked. It counts only with a reason, so that whoever reads it later knows why.
 *
 * @param counts whether findings are ignored
 * @param mistake what is wrong with the wish
 */
record CheckOptOut(boolean counts, Optional<Finding> mistake) {

    static final String CHECK = PolicySetting.PREFIX + "check";
    static final String REASON = PolicySetting.PREFIX + "check-reason";

    private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");

    static CheckOptOut of(Manifest manifest, Tool by) {
        var annotations = manifest.object().path("metadata").path("annotations");
        if (!annotations.has(CHECK)) {
            return new CheckOptOut(false, Optional.empty());
        }
        if (!annotations.path(CHECK).asText().equals("Ignore")) {
            return mistake(manifest, by, "write exactly Ignore in " + CHECK + ", or remove it");
        }
        return annotations.path(REASON).asText().isBlank()
                ? mistake(manifest, by, "say why in " + REASON + ": without a reason " + CHECK + " does not count")
                : new CheckOptOut(true, Optional.empty());
    }

    private static CheckOptOut mistake(Manifest manifest, Tool by, String remedy) {
        return new CheckOptOut(
                false,
                Optional.of(new Finding(
                        Severity.WARNING,
                        "CheckNotIgnored",
                        manifest.id(),
                        by.label(),
                        List.of(),
                        "the exception of " + manifest.id() + " does not count",
                        remedy,
                        manifest.text().of(ANNOTATIONS.key(CHECK)),
                        Optional.empty(),
                        manifest)));
    }

    Findings applyTo(List<Finding> found) {
        return counts
                ? new Findings(List.of(), found)
                : new Findings(Stream.concat(found.stream(), mistake.stream()).toList(), List.of());
    }
}
