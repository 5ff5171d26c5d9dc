package dev.gitopsinterlock.job.rule;

import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.Classification;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.KubernetesVersion;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
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
        var after = submitted.object();
        return JobKind.JOB
                .classify(
                        change.before(),
                        after,
                        difference -> ImmutableJobFields.mutability(
                                met.imagined() ? asIfAdded(difference) : difference,
                                met.state(),
                                after.path("spec"),
                                met.version()))
                .map(found -> forecast(
                        change, Classification.fields(found.refused()), Classification.fields(found.unsure())));
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
    private static Difference asIfAdded(Difference difference) {
        return new Difference(difference.path(), Difference.Kind.ADDED);
    }
}
