package dev.gitopsinterlock.edit;

import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.immutability.FieldPath;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What an API server will say to an edit that nobody has sent yet. Policies have no part in it.
 *
 * @param refused fields that no version in question lets change, in the order of the API reference
 * @param unsure fields whose change some of them accept and others refuse
 * @param guidance what helps; empty where nothing is refused by any
 */
public record Forecast(List<FieldPath> refused, List<FieldPath> unsure, Optional<RefusedEdit> guidance) {

    public Forecast {
        refused = List.copyOf(refused);
        unsure = List.copyOf(unsure);
    }

    /**
     * About one edit; empty where the two objects cannot be compared.
     *
     * @param judgement of differences, in the state that the live object is in, or may be in
     */
    public static Optional<Forecast> of(GuardedKind kind, Change change, Judgement judgement) {
        var after = kind.manifests().repaired(change.before(), change.after());
        return kind.classify(change.before(), after, judgement.about(change.before(), after))
                .map(found -> {
                    var refused = Classification.fields(found.refused());
                    var unsure = Classification.fields(found.unsure());
                    return new Forecast(
                            refused,
                            unsure,
                            Stream.of(refused, unsure)
                                    .filter(Predicate.not(List::isEmpty))
                                    .findFirst()
                                    .map(known -> kind.denial(change, known, 0)));
                });
    }

    /** Whether every API server in question accepts the edit. */
    public boolean passes() {
        return guidance.isEmpty();
    }
}
