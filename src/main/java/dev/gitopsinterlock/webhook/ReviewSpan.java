package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.NotEvaluated;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.tracing.CurrentSpan;
import dev.gitopsinterlock.tracing.Span;
import dev.gitopsinterlock.webhook.ReviewBody.Review;
import org.jspecify.annotations.Nullable;

/** What a trace tells of a review: which object, what was decided and why. */
final class ReviewSpan {

    private static final String VERDICT = "gitops-interlock.verdict";
    private static final String REASON = "gitops-interlock.reason";

    private ReviewSpan() {}

    static void note(Span span, Review review) {
        var request = review.request();
        span.note("gitops-interlock.uid", review.uid());
        span.note("gitops-interlock.kind", request.path("kind").path("kind").asText());
        span.note("gitops-interlock.namespace", request.path("namespace").asText());
        span.note("gitops-interlock.name", request.path("name").asText());
    }

    static void note(Span span, Decision decision) {
        switch (decision.verdict()) {
            case Allow(var reason, var _) -> {
                span.note(VERDICT, "allowed");
                span.note(REASON, reason.token());
            }
            case Deny(var denial) -> {
                span.note(VERDICT, "denied");
                span.note(REASON, denial.token());
                denial.labels().forEach((key, value) -> span.note("gitops-interlock." + key, value));
            }
        }
    }

    /** Of the running span: no rule was asked. */
    static void note(NotEvaluated reason) {
        CurrentSpan.note(REASON, reason.token());
    }

    static void end(Span span, @Nullable Answer answer) {
        if (answer == null || answer.isFailure()) {
            span.failed();
        }
        span.end();
    }
}
