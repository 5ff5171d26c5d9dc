package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Effect.JobOperation;
import dev.gitopsinterlock.admission.Effect.ReplaceJob;
import dev.gitopsinterlock.admission.Outcome.RecreateFailed;
import dev.gitopsinterlock.admission.Verdict.Reason;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.guidance.ObjectName;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.webhook.ReviewMetrics.Endpoint;
import dev.gitopsinterlock.webhook.ReviewReading.Fault;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReviewMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReviewMetrics metrics = new ReviewMetrics(registry);

    @Test
    void allowedReviewsAreCountedByReason() {
        metrics.decided(Endpoint.MUTATE_JOBS, Decision.allow(Reason.NEVER_TOUCHED), Duration.ofMillis(1));
        metrics.decided(Endpoint.MUTATE_JOBS, Decision.allow(Reason.NEVER_TOUCHED), Duration.ofMillis(1));

        assertThat(reviews("allowed", "never_touched")).isEqualTo(2);
    }

    @Test
    void denialsAreCountedByCodeAndTool() {
        metrics.decided(Endpoint.MUTATE_JOBS, Decision.deny(refusal()), Duration.ofMillis(1));

        assertThat(reviews("denied", "immutable")).isEqualTo(1);
        assertThat(registry.get("gitops.interlock.denials")
                        .tags("code", "HelmJobEdit", "tool", "helm")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void unsupportedAndFailedReviewsAreCountedApart() {
        metrics.unsupported(Endpoint.MUTATE_JOBS);
        metrics.failed(Endpoint.MUTATE_JOBS);

        assertThat(reviews("allowed", "unsupported")).isEqualTo(1);
        assertThat(reviews("failed", "exception")).isEqualTo(1);
    }

    @Test
    void malformedRequestsAreCountedByFault() {
        metrics.malformed(Fault.NOT_JSON);

        assertThat(registry.get("gitops.interlock.malformed.requests")
                        .tag("fault", "not_json")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void durationIsTimedByEndpoint() {
        metrics.decided(Endpoint.VALIDATE_JOBS, Decision.allow(Reason.POLICY), Duration.ofMillis(3));

        assertThat(registry.get("gitops.interlock.decision.duration")
                        .tag("endpoint", "validate-jobs")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void effectsAreCountedByWhatCameOfThemAndTimed() {
        var operation = new JobOperation(
                new ObjectName("shop", "db-migrate"),
                MissingNode.getInstance(),
                new Requester("carol", "", List.of(), Map.of()),
                Tool.HELM,
                List.of(),
                MissingNode.getInstance(),
                "helm",
                MissingNode.getInstance(),
                false);

        metrics.carriedOut(
                new ReplaceJob(operation, Optional.empty()), new RecreateFailed("quota"), Duration.ofSeconds(3));

        assertThat(registry.get("gitops.interlock.effects")
                        .tags("effect", "replace_job", "outcome", "recreate_failed", "tool", "helm", "dry_run", "false")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("gitops.interlock.effect.duration")
                        .tag("effect", "replace_job")
                        .timer()
                        .totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
    }

    @Test
    void noLabelNamesTheObject() {
        metrics.decided(Endpoint.MUTATE_JOBS, Decision.deny(refusal()), Duration.ofMillis(1));

        assertThat(registry.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .extracting(Tag::getValue)
                .noneMatch(value -> value.contains("db-migrate") || value.contains("shop") || value.contains("spec."));
    }

    private double reviews(String verdict, String reason) {
        return registry.get("gitops.interlock.reviews")
                .tags("endpoint", "mutate-jobs", "verdict", verdict, "reason", reason)
                .counter()
                .count();
    }

    private static JobEditGuidance refusal() {
        return new JobEditGuidance(
                new GuidanceCode("HelmJobEdit"),
                Tool.HELM,
                new ObjectName("shop", "db-migrate"),
                List.of("spec.completions"));
    }
}
