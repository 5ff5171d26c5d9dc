package dev.gitopsinterlock.page;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.policy.HoldRestarts;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.status.Facts;
import dev.gitopsinterlock.status.NamespacePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What holds for the Jobs of one Namespace, where they do not say otherwise themselves.
 *
 * @param namespace its name
 * @param onImmutableChange what happens to an edit, in the policy's word
 * @param style the name of that word's colour in the style sheet
 * @param whenActive the same while the Job is not finished; empty where nothing is carried out
 * @param newJobs what new Jobs get; empty: nothing
 * @param notes what is special there, or wrong with its annotations
 */
public record PolicyRow(
        String namespace,
        String onImmutableChange,
        String style,
        String whenActive,
        String newJobs,
        List<String> notes) {

    static final int MOST = 100;

    public PolicyRow {
        notes = List.copyOf(notes);
    }

    /** The policy of every other Namespace. */
    static PolicyRow ofCluster(Facts facts) {
        return row("", facts.installed().jobs().cluster(), List.of());
    }

    static PolicyRow of(NamespacePolicy policy) {
        var notes = new ArrayList<String>();
        if (policy.isBreakGlassOn()) {
            notes.add("Break glass is on: nothing is judged here");
        }
        notes.addAll(policy.mistakes());
        return policy.values()
                .map(values -> row(policy.namespace(), values, notes))
                .orElseGet(() -> {
                    notes.addFirst("Jobs are exempt here");
                    return new PolicyRow(policy.namespace(), "Exempt", "ignore", "", "", notes);
                });
    }

    private static PolicyRow row(String name, Policy.Values values, List<String> notes) {
        var policy = values.onImmutableChange();
        return new PolicyRow(
                name,
                policy.configValue(),
                style(policy),
                policy.hasEffect() ? values.whenActive().configValue() : "",
                newJobs(values),
                notes);
    }

    private static String style(OnImmutableChange policy) {
        return switch (policy) {
            case REJECT -> "reject";
            case WARN -> "warned";
            case PREVIEW -> "previewed";
            case REPLACE -> "replaced";
            case GENERATE_NAME -> "run-beside";
            case IGNORE -> "ignore";
        };
    }

    private static String newJobs(Policy.Values values) {
        return Stream.of(
                        values.ttlSecondsAfterFinished().map(seconds -> "TTL %d s".formatted(seconds)),
                        Optional.of("a generated name").filter(text -> values.generateName()),
                        holdLabel(values.holdRestarts()))
                .flatMap(Optional::stream)
                .collect(joining(", "));
    }

    private static Optional<String> holdLabel(HoldRestarts which) {
        return switch (which) {
            case NONE -> Optional.empty();
            case HOOKS -> Optional.of("hooks hold restarts");
            case ALL -> Optional.of("hold restarts");
        };
    }
}
