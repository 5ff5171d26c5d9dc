package dev.gitopsinterlock.check;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.guidance.Fix;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Annotations that belong into a chart's template, because what is rendered from it is rendered again, and what becomes
 * of the Job by them. A test compares each with the page of its code.
 *
 * @param annotations to write
 * @param effect that is to be known before it is committed, behind the Job's name
 */
public record ChartFix(List<Fix> annotations, String effect) {

    /** By guidance code. */
    public static final Map<String, ChartFix> OF_CODES = Map.of(
            "HelmJobEdit",
            new ChartFix(
                    List.of(
                            new Fix("helm.sh/hook", List.of("post-install", "post-upgrade")),
                            new Fix("helm.sh/hook-delete-policy", List.of("before-hook-creation"))),
                    "becomes a hook. Helm deletes it and runs it again after every install and upgrade, changed or not,"
                            + " waits for it, and fails if it fails. It is no part of the release: helm uninstall"
                            + " leaves it, helm rollback does not run it, and to a revision from before only goes when"
                            + " it is deleted first. With --wait it begins when all else is ready: a Pod must not wait"
                            + " for it."));

    public ChartFix {
        annotations = List.copyOf(annotations);
    }

    /** What helps against a code. */
    public static Optional<ChartFix> of(String code) {
        return Optional.ofNullable(OF_CODES.get(code));
    }

    /** What to write by hand. */
    public String lines() {
        return annotations.stream()
                .map(fix -> fix.annotation() + ": " + fix.value())
                .collect(joining(" and "));
    }
}
