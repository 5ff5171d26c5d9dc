package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.carryout.CarryOut;
import dev.gitopsinterlock.carryout.Outcome;
import dev.gitopsinterlock.carryout.Outcome.Done;
import dev.gitopsinterlock.carryout.Outcome.Superseded;
import dev.gitopsinterlock.carryout.Outcome.Unavailable;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.policy.CarryOutScope;
import dev.gitopsinterlock.job.policy.HoldRestarts;
import dev.gitopsinterlock.job.policy.JobPolicy;
import dev.gitopsinterlock.job.policy.OnImmutableChange;
import dev.gitopsinterlock.job.policy.WhenActive;
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

    private static final List<JobPolicy.Values> POLICIES = Stream.of(
                    OnImmutableChange.REJECT, OnImmutableChange.REPLACE, OnImmutableChange.GENERATE_NAME)
            .map(value ->
                    new JobPolicy.Values(value, WhenActive.REPLACE, Optional.of(600), true, HoldRestarts.ALL, true))
            .toList();

    private static final List<Outcome> OUTCOMES = List.of(new Done(), new Superseded(), new Unavailable("no time"));

    /** The answers under every policy and with every outcome, and what a new Job is warned about. */
    static String of(JsonNode review, Map<String, String> namespace) {
        var advised = Reviewed.by(JobRoutes.validating(levels(POLICIES.getFirst())), review);
        var mutated = POLICIES.stream().map(Answers::levels).flatMap(levels -> mutated(review, levels, namespace));
        return Stream.concat(Stream.of(advised), mutated).map(Reviewed::body).collect(Collectors.joining("\n"));
    }

    /** With the first outcome, and with the others where the cluster was asked. */
    private static Stream<Reviewed<JobChange, CarryOut>> mutated(
            JsonNode review, JobPolicy.Levels levels, Map<String, String> namespace) {
        var first = mutated(review, levels, namespace, OUTCOMES.getFirst());
        var others = first.question().isPresent() ? OUTCOMES.subList(1, OUTCOMES.size()) : List.<Outcome>of();
        return Stream.concat(
                Stream.of(first), others.stream().map(outcome -> mutated(review, levels, namespace, outcome)));
    }

    private static Reviewed<JobChange, CarryOut> mutated(
            JsonNode review, JobPolicy.Levels levels, Map<String, String> namespace, Outcome outcome) {
        return Reviewed.by(JobRoutes.mutating(levels, namespace, outcome), review);
    }

    private static JobPolicy.Levels levels(JobPolicy.Values policy) {
        return new JobPolicy.Levels(policy, true, new CarryOutScope.On(true, Set.of()), Set.of());
    }
}
