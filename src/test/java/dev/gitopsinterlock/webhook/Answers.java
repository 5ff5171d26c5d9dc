package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Outcome;
import dev.gitopsinterlock.admission.Outcome.Done;
import dev.gitopsinterlock.admission.Outcome.Superseded;
import dev.gitopsinterlock.admission.Outcome.Unavailable;
import dev.gitopsinterlock.admission.Verdict.CarryOut;
import dev.gitopsinterlock.config.GuidancePages;
import dev.gitopsinterlock.job.CarryOutScope;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.JobEditRule;
import dev.gitopsinterlock.job.JobLintRule;
import dev.gitopsinterlock.job.JobPolicy;
import dev.gitopsinterlock.job.JobRule;
import dev.gitopsinterlock.job.OnImmutableChange;
import dev.gitopsinterlock.job.WhenActive;
import dev.gitopsinterlock.testing.Trees;
import dev.gitopsinterlock.webhook.ParseResult.Parsed;
import dev.gitopsinterlock.webhook.ParseResult.Unsupported;
import dev.gitopsinterlock.webhook.ReviewReading.Malformed;
import dev.gitopsinterlock.webhook.ReviewReading.Review;
import dev.gitopsinterlock.webhook.ReviewReading.TooCostly;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The way from a review to its answer, as the mutating endpoint goes it. */
final class Answers {

    private static final ReviewWriter WRITER =
            new ReviewWriter(GuidancePages.text("https://gitops-interlock.dev/guidance/"));

    private Answers() {}

    private static final List<JobPolicy.Values> POLICIES = Stream.of(
                    OnImmutableChange.REJECT, OnImmutableChange.REPLACE, OnImmutableChange.GENERATE_NAME)
            .map(value -> new JobPolicy.Values(value, WhenActive.REPLACE, Optional.of(600), true))
            .toList();

    private static final List<Outcome> OUTCOMES = List.of(new Done(), new Superseded(), new Unavailable("no time"));

    /** The answers' bytes under every policy, or what would be logged where there are none. */
    static String of(JsonNode review, Map<String, String> namespace) {
        return switch (ReviewReader.read(Trees.bytes(review), Subject.JOB_EDIT.kinds())) {
            case Malformed(var fault) -> fault.line();
            case TooCostly tooCostly -> throw new IllegalStateException("nothing is too costly here");
            case Review(String uid, JsonNode request, long heap) ->
                switch (JobReader.read(request)) {
                    case Unsupported<JobChange>(String where) -> where;
                    case Parsed<JobChange>(var change) ->
                        POLICIES.stream()
                                .flatMap(policy -> decisions(change, levels(policy), namespace))
                                .map(decision -> new String(WRITER.write(uid, decision), UTF_8))
                                .collect(Collectors.joining("\n"));
                };
        };
    }

    private static JobPolicy.Levels levels(JobPolicy.Values policy) {
        return new JobPolicy.Levels(policy, true, new CarryOutScope.On(true, Set.of()), Set.of());
    }

    private static Stream<Decision> decisions(
            JobChange change, JobPolicy.Levels levels, Map<String, String> namespace) {
        var decision = JobRule.decide(change, levels, namespace);
        return decision.verdict() instanceof CarryOut(var effect)
                ? OUTCOMES.stream().map(outcome -> JobEditRule.conclude(change, effect, outcome, decision))
                : Stream.of(decision, JobLintRule.decide(change, levels));
    }
}
