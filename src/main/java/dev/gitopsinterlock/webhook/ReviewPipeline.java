package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.DenialListener;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.NotEvaluated;
import dev.gitopsinterlock.admission.NotJudged;
import dev.gitopsinterlock.admission.ParseResult.Parsed;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.RequestContext;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step.Answered;
import dev.gitopsinterlock.admission.Step.Ask;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.policy.BreakGlass;
import dev.gitopsinterlock.status.RecentReviews;
import dev.gitopsinterlock.tracing.CurrentSpan;
import dev.gitopsinterlock.tracing.Tracing;
import dev.gitopsinterlock.webhook.HeapShare.Lease;
import dev.gitopsinterlock.webhook.ReviewBody.Fault;
import dev.gitopsinterlock.webhook.ReviewBody.Malformed;
import dev.gitopsinterlock.webhook.ReviewBody.Review;
import dev.gitopsinterlock.webhook.ReviewBody.TooCostly;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * The way of every review, whatever it is about: read, decided, the cluster asked if the rule says so, concluded, written,
 * counted and logged. There is no other. Thread-safe.
 */
@Singleton
final class ReviewPipeline {

    private final ReviewMetrics metrics;
    private final ReviewWriter writer;
    private final ReviewLog log = new ReviewLog();
    private final MemoryBudget heap;
    private final BreakGlass breakGlass;
    private final DenialListener refusals;
    private final RecentReviews recent;
    private final Tracing tracing;

    /** One at a time: what reading takes besides the tree is there once, and once for strangers. */
    private final Executor large = oneThread("large-reviews");

    private final Executor unauthenticated = oneThread("large-unauthenticated-reviews");

    /** Looks for those that need not wait. */
    private final Executor ahead = oneThread("large-reviews-ahead");

    /** For questions to the cluster. */
    private final Executor waiting = Executors.newVirtualThreadPerTaskExecutor();

    ReviewPipeline(
            GuidancePages pages,
            ReviewMetrics metrics,
            MemoryBudget heap,
            BreakGlass breakGlass,
            DenialListener refusals,
            RecentReviews recent,
            Tracing tracing) {
        this.tracing = tracing;
        this.breakGlass = breakGlass;
        this.refusals = refusals;
        this.recent = recent;
        this.metrics = metrics;
        this.heap = heap;
        this.writer = new ReviewWriter(pages);
    }

    private static Executor oneThread(String name) {
        return Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    /**
     * The answer, once the rule has decided. A small review is judged at once; large ones one after another on a thread
     * of their own, each once there is room in the heap for what it may take, but for those about what we do ourselves.
     * Strangers' have another thread, and are let through unread where there is no room now: they keep no API server waiting.
     *
     * @param request that the review came in with; tells the rule who sent it, and how long there is for an answer
     */
    <C, Q> CompletionStage<Answer> answer(Route<C, Q> route, RoutingContext request) {
        var arrival = Arrival.of(request, header -> tracing.review(route.label(), header));
        return arrival.span()
                .map(span -> answer(route, arrival).whenComplete((answer, failure) -> ReviewSpan.end(span, answer)))
                .orElseGet(() -> answer(route, arrival));
    }

    <C, Q> CompletionStage<Answer> answer(Route<C, Q> route, Arrival arrival) {
        return heap.small(arrival.body())
                .map(lease -> answer(route, arrival, lease))
                .orElseGet(() -> answerLarge(route, arrival));
    }

    private <C, Q> CompletionStage<Answer> answerLarge(Route<C, Q> route, Arrival arrival) {
        if (arrival.isUnauthenticated()) {
            return answerLarge(route, arrival, unauthenticated);
        }
        if (!route.seesOwnChanges()) {
            return answerLarge(route, arrival, large);
        }
        return CompletableFuture.supplyAsync(() -> ReviewReader.selfInitiated(arrival.body(), route.kinds()), ahead)
                .thenCompose(own -> own.map(uid -> passed(route, arrival.body(), uid))
                        .orElseGet(() -> answerLarge(route, arrival, large)));
    }

    private <C, Q> CompletionStage<Answer> answerLarge(Route<C, Q> route, Arrival arrival, Executor executor) {
        return CompletableFuture.supplyAsync(
                        () -> heap.large(arrival.body(), patience(arrival))
                                .map(lease -> answer(route, arrival, lease))
                                .orElseGet(() -> unread(route, arrival.body())),
                        executor)
                .thenCompose(Function.identity());
    }

    private static Duration patience(Arrival arrival) {
        return arrival.isUnauthenticated() ? Duration.ZERO : arrival.deadline().remaining();
    }

    /** Unread: an edit that is being carried out holds room, and would wait for this answer in vain. */
    private CompletionStage<Answer> passed(Route<?, ?> route, Body body, String uid) {
        body.release();
        var decision = Decision.allow(NotEvaluated.SKIPPED);
        metrics.decided(route.label(), decision, Duration.ZERO);
        return CompletableFuture.completedStage(Answer.review(writer.write(uid, decision)));
    }

    private <C, Q> CompletionStage<Answer> answer(Route<C, Q> route, Arrival arrival, Lease lease) {
        var length = arrival.body().length();
        var reading = reading(route, arrival.body(), lease);
        lease.shrinkTo(reading instanceof Review review ? MemoryBudget.cost(review, length) : 0);
        var isRoom = reading instanceof Review review && MemoryBudget.suffices(review, length);
        return answer(
                        route,
                        reading,
                        review -> CurrentSpan.during(arrival.span(), () -> judge(route, review, arrival, isRoom)))
                .whenComplete((answer, failure) -> lease.release());
    }

    /** Whatever comes of it, what it took is given back: the room is there once. */
    private static ReviewBody reading(Route<?, ?> route, Body body, Lease lease) {
        try {
            return ReviewReader.read(body, route.kinds(), MemoryBudget.allowance());
        } catch (RuntimeException e) {
            lease.release();
            throw e;
        } finally {
            body.release();
        }
    }

    private CompletionStage<Answer> unread(Route<?, ?> route, Body body) {
        ReviewBody reading;
        try {
            reading = ReviewReader.readEnvelope(body, route.kinds());
        } finally {
            body.release();
        }
        return answer(route, reading, review -> CompletableFuture.failedStage(new IllegalStateException("unread")));
    }

    private CompletionStage<Answer> answer(
            Route<?, ?> route, ReviewBody reading, Function<Review, CompletionStage<byte[]>> judge) {
        return switch (reading) {
            case Malformed(Fault fault) -> {
                metrics.malformed(fault);
                yield CompletableFuture.completedStage(Answer.line(Answer.BAD_REQUEST, fault.line()));
            }
            case TooCostly(String uid) -> CompletableFuture.completedStage(tooLarge(route, uid));
            case Review review -> answer(route, review, judge);
        };
    }

    /** Let through, as everything is that nobody can be sure about; and whoever looks is told. */
    private Answer tooLarge(Route<?, ?> route, String uid) {
        metrics.notEvaluated(route.label(), NotEvaluated.TOO_LARGE);
        log.notJudged("too large to judge with the memory there is:", route, uid);
        var decision = Decision.allow(NotEvaluated.TOO_LARGE).withWarnings(List.of(new NotJudged()));
        return Answer.review(writer.write(uid, decision));
    }

    /** The one place where an unexpected exception becomes an answer: not a review, so that failurePolicy decides. */
    private CompletionStage<Answer> answer(
            Route<?, ?> route, Review review, Function<Review, CompletionStage<byte[]>> judge) {
        return CompletableFuture.completedStage(review)
                .thenCompose(judge)
                .handle((answer, failure) -> failure == null ? Answer.review(answer) : broken(route, review, failure));
    }

    private Answer broken(Route<?, ?> route, Review review, Throwable failure) {
        var errorId = UUID.randomUUID();
        metrics.failed(route.label());
        log.failed(errorId, route, review, failure);
        return Answer.line(Answer.INTERNAL_SERVER_ERROR, "the review could not be judged, error " + errorId);
    }

    private <C, Q> CompletionStage<byte[]> judge(Route<C, Q> route, Review review, Arrival arrival, boolean isRoom) {
        var begin = System.nanoTime();
        arrival.span().ifPresent(span -> ReviewSpan.note(span, review));
        if (breakGlass.isOn(review.request().path("namespace").asText())) {
            metrics.notEvaluated(route.label(), NotEvaluated.BREAK_GLASS);
            ReviewSpan.note(NotEvaluated.BREAK_GLASS);
            return CompletableFuture.completedStage(
                    writer.write(review.uid(), Decision.allow(NotEvaluated.BREAK_GLASS)));
        }
        return switch (CurrentSpan.step("read", () -> route.read(review.request()))) {
            case Parsed<C>(C change) ->
                decide(route, change, arrival, isRoom).thenApply(decision -> {
                    arrival.span().ifPresent(span -> ReviewSpan.note(span, decision));
                    var answer = writer.write(review.uid(), decision);
                    var duration = Duration.ofNanos(System.nanoTime() - begin);
                    metrics.decided(route.label(), decision, duration);
                    log.decided(route, review, change, decision, duration);
                    tell(route, arrival.caller(), change, decision);
                    recent.decided(Instant.now(), route.label(), arrival.caller(), change, decision);
                    return answer;
                });
            case Unsupported<C>(String where) -> {
                metrics.notEvaluated(route.label(), NotEvaluated.UNSUPPORTED);
                ReviewSpan.note(NotEvaluated.UNSUPPORTED);
                log.notJudged("not as expected: " + where, route, review.uid());
                yield CompletableFuture.completedStage(
                        writer.write(review.uid(), Decision.allow(NotEvaluated.UNSUPPORTED)));
            }
        };
    }

    private <C, Q> CompletionStage<Decision> decide(Route<C, Q> route, C change, Arrival arrival, boolean isRoom) {
        var context = context(arrival, isRoom);
        return switch (CurrentSpan.step("rule", () -> route.decide(change, context))) {
            case Answered<Q>(var decision) -> CompletableFuture.completedStage(decision);
            case Ask<Q>(Q question) ->
                CompletableFuture.supplyAsync(
                        () -> CurrentSpan.during(arrival.span(), () -> route.conclude(change, question, context)),
                        waiting);
        };
    }

    private static RequestContext context(Arrival arrival, boolean isRoom) {
        return new RequestContext(arrival.caller(), arrival.deadline()::remaining, isRoom);
    }

    private <C> void tell(Route<C, ?> route, Caller caller, C change, Decision decision) {
        if (caller instanceof ApiServer apiServer && decision.verdict() instanceof Deny(var denial)) {
            route.denialEventTarget(change).ifPresent(object -> refusals.refused(apiServer, object, denial));
        }
    }
}
