package dev.gitopsinterlock.job.rule;

import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.immutability.Comparison;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.JobFieldSemantics;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.KubernetesVersion;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an API server will say to an edit of a Job that nobody has sent yet, in a state of it that is known or assumed.
 * Policies have no part in it.
 *
 * @param refused fields that no version in question lets change, in the order of the API reference
 * @param unsure fields whose change some of them accept and others refuse
 * @param guidance what helps; empty where nothing is refused by any
 */
public record JobForecast(List<FieldPath> refused, List<FieldPath> unsure, Optional<RefusedEdit> guidance) {

    private static final FieldPath SPEC = FieldPath.of("spec");

    /**
     * What an edit meets.
     *
     * @param state of the live Job
     * @param imagined whether that Job is what its manifest makes one expect, and nobody has looked
     * @param version of the API server; empty if any supported one counts
     */
    public record Circumstances(JobState state, boolean imagined, Optional<KubernetesVersion> version) {}

    public JobForecast {
        refused = List.copyOf(refused);
        unsure = List.copyOf(unsure);
    }

    /** Empty where the two Jobs cannot be compared. */
    public static Optional<JobForecast> of(Change change, Circumstances met) {
        var submitted = new PatchBuilder(change.after());
        JobKind.putBack(change.before(), submitted);
        var after = submitted.object().path("spec");
        return Comparison.between(
                        JobFieldSemantics.SEMANTICS, SPEC, change.before().path("spec"), after)
                .map(differences -> (met.imagined() ? asIfAdded(differences) : differences)
                        .stream()
                                .collect(Collectors.groupingBy(difference ->
                                        ImmutableJobFields.mutability(difference, met.state(), after, met.version()))))
                .map(found -> forecast(change, fields(found, Mutability.REFUSED), fields(found, Mutability.UNSURE)));
    }

    private static JobForecast forecast(Change change, List<FieldPath> refused, List<FieldPath> unsure) {
        return new JobForecast(
                refused,
                unsure,
                Stream.of(refused, unsure)
                        .filter(Predicate.not(List::isEmpty))
                        .findFirst()
                        .map(known -> JobKind.JOB.denial(change, known, 0)));
    }

    /** A field that some servers drop may be missing in the live Job although its manifest has it. */
    private static List<Difference> asIfAdded(List<Difference> differences) {
        return differences.stream()
                .map(difference -> new Difference(difference.path(), Difference.Kind.ADDED))
                .toList();
    }

    private static List<FieldPath> fields(Map<Mutability, List<Difference>> found, Mutability which) {
        return found.getOrDefault(which, List.of()).stream()
                .sorted(ImmutableJobFields.TABLE.inApiOrder())
                .map(Difference::path)
                .distinct()
                .toList();
    }
}
