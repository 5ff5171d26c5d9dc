package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.NotEvaluated;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.edit.EditReason;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.testing.review.Refusals;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.webhook.ReviewBody.Fault;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReviewMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReviewMetrics metrics = new ReviewMetrics(registry);

    @Test
    void allowedReviewsAreCountedByReason() {
        metrics.decided("mutate-jobs", Decision.allow(EditReason.SKIPPED), Duration.ofMillis(1));
        metrics.decided("mutate-jobs", Decision.allow(EditReason.SKIPPED), Duration.ofMillis(1));

        assertThat(reviews("allowed", "skipped")).isEqualTo(2);
    }

    @Test
    void denialsAreCountedByCodeAndTool() {
        metrics.decided("mutate-jobs", Decision.deny(refusal()), Duration.ofMillis(1));

        assertThat(reviews("denied", "immutable")).isEqualTo(1);
        assertThat(registry.get("gitops.interlock.denials")
                        .tags("code", "HelmJobEdit", "tool", "helm")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void unsupportedAndFailedReviewsAreCountedApart() {
        metrics.notEvaluated("mutate-jobs", NotEvaluated.UNSUPPORTED);
        metrics.failed("mutate-jobs");

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
        metrics.decided("validate-jobs", Decision.allow(EditReason.POLICY), Duration.ofMillis(3));

        assertThat(registry.get("gitops.interlock.decision.duration")
                        .tag("endpoint", "validate-jobs")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void noLabelNamesTheObject() {
        metrics.decided("mutate-jobs", Decision.deny(refusal()), Duration.ofMillis(1));

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

    private static RefusedEdit refusal() {
        return Refusals.of(
                new GuidanceCode("HelmJobEdit"),
                Tool.HELM,
                new ObjectName("shop", "db-migrate"),
                List.of("spec.completions"));
    }
}
