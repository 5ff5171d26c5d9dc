package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.Done;
import dev.gitopsinterlock.effect.Outcome.Superseded;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import dev.gitopsinterlock.effect.PlannedEffect;
import dev.gitopsinterlock.policy.HoldRestarts;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.policy.WhenActive;
import dev.gitopsinterlock.testing.review.JobRoutes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What reviews of Jobs are answered. */
final class Answers {

    private Answers() {}

    private static final List<Policy.Values> POLICIES = Stream.of(
                    OnImmutableChange.REJECT, OnImmutableChange.REPLACE, OnImmutableChange.GENERATE_NAME)
            .map(value -> new Policy.Values(value, WhenActive.REPLACE, Optional.of(600), true, HoldRestarts.ALL, true))
            .toList();

    private static final List<Outcome> OUTCOMES = List.of(new Done(), new Superseded(), new Unavailable("no time"));

    /** The answers under every policy and with every outcome, and what a new Job is warned about. */
    static String of(JsonNode review, Map<String, String> namespace) {
        var advised = Reviewed.by(JobRoutes.validating(levels(POLICIES.getFirst())), review);
        var mutated = POLICIES.stream().map(Answers::levels).flatMap(levels -> mutated(review, levels, namespace));
        return Stream.concat(Stream.of(advised), mutated).map(Reviewed::body).collect(Collectors.joining("\n"));
    }

    /** With the first outcome, and with the others where the cluster was asked. */
    private static Stream<Reviewed<Change, PlannedEffect>> mutated(
            JsonNode review, Policy.Levels levels, Map<String, String> namespace) {
        var first = mutated(review, levels, namespace, OUTCOMES.getFirst());
        var others = first.question().isPresent() ? OUTCOMES.subList(1, OUTCOMES.size()) : List.<Outcome>of();
        return Stream.concat(
                Stream.of(first), others.stream().map(outcome -> mutated(review, levels, namespace, outcome)));
    }

    private static Reviewed<Change, PlannedEffect> mutated(
            JsonNode review, Policy.Levels levels, Map<String, String> namespace, Outcome outcome) {
        return Reviewed.by(JobRoutes.mutating(levels, namespace, outcome), review);
    }

    private static Policy.Levels levels(Policy.Values policy) {
        return new Policy.Levels(policy, true, new ReplacementScope.On(true, Set.of()), Set.of());
    }
}
