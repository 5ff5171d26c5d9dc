package dev.gitopsinterlock.webhook;

import static dev.gitopsinterlock.admission.Verdict.Reason.NEVER_TOUCHED;
import static dev.gitopsinterlock.admission.Verdict.Reason.UNSURE;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.CarryOut;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.cluster.Deadline;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.guidance.GuidanceText;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.guidance.NotJudged;
import dev.gitopsinterlock.guidance.RolloutHeld;
import dev.gitopsinterlock.guidance.RolloutText;
import dev.gitopsinterlock.logging.LogRateLimiter;
import dev.gitopsinterlock.webhook.HeapShare.Lease;
import dev.gitopsinterlock.webhook.ParseResult.Parsed;
import dev.gitopsinterlock.webhook.ParseResult.Unsupported;
import dev.gitopsinterlock.webhook.ReviewMetrics.Endpoint;
import dev.gitopsinterlock.webhook.ReviewReading.Fault;
import dev.gitopsinterlock.webhook.ReviewReading.Malformed;
import dev.gitopsinterlock.webhook.ReviewReading.Review;
import dev.gitopsinterlock.webhook.ReviewReading.TooCostly;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/** The way of every review, whatever it is about: read, judged, answered, counted and logged. */
@Singleton
final class ReviewHandler {

    private static final Logger LOG = Logger.getLogger(ReviewHandler.class);
    private static final int MAX_CAUSES = 5;
    private static final int MAX_FRAMES = 12;
    private static final int MAX_FIELDS = 20;
    private static final Pattern UID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    private final ReviewMetrics metrics;
    private final ReviewWriter writer;
    private final LogRateLimiter complaints = new LogRateLimiter(InstantSource.system());
    private final LogRateLimiter gaps = new LogRateLimiter(InstantSource.system());

    private final HeapRoom heap;

    /** One at a time: what reading takes besides the tree is there once, and once for strangers. */
    private final Executor large = oneThread("large-reviews");

    private final Executor strangers = oneThread("large-reviews-of-strangers");

    /** Looks for those that need not wait. */
    private final Executor ahead = oneThread("large-reviews-ahead");

    @Inject
    ReviewHandler(Settings settings, ReviewMetrics metrics, HeapRoom heap) {
        this(settings.text(), metrics, heap);
    }

    ReviewHandler(GuidanceText text, ReviewMetrics metrics, HeapRoom heap) {
        this.metrics = metrics;
        this.heap = heap;
        this.writer = new ReviewWriter(text);
    }

    private static Executor oneThread(String name) {
        return Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    /**
     * What a rule is told beside the request itself.
     *
     * @param caller who sent it
     * @param deadline when the caller stops waiting for the answer
     * @param leavesRoom whether there is memory for carrying it out
     */
    record Asking(Caller caller, Deadline deadline, boolean leavesRoom) {}

    /**
     * The answer, once the rule has decided. A small review is judged at once; large ones one after another on a thread
     * of their own, each once there is room in the heap for what it may take, but for those about what we do ourselves.
     * Strangers' have another thread, and are let through unread where there is no room now: they keep no API server waiting.
     *
     * @param request that the review came in with; tells the rule who sent it, and how long there is for an answer
     */
    <C> CompletionStage<Response> answer(
            Subject<C> subject, RoutingContext request, BiFunction<C, Asking, CompletionStage<Decision>> rule) {
        return answer(subject, Arrival.of(request), rule);
    }

    <C> CompletionStage<Response> answer(
            Subject<C> subject, Arrival arrival, BiFunction<C, Asking, CompletionStage<Decision>> rule) {
        return heap.small(arrival.body())
                .map(lease -> answer(subject, arrival, lease, rule))
                .orElseGet(() -> answerLarge(subject, arrival, rule));
    }

    private <C> CompletionStage<Response> answerLarge(
            Subject<C> subject, Arrival arrival, BiFunction<C, Asking, CompletionStage<Decision>> rule) {
        if (arrival.isOfStranger()) {
            return answerLarge(subject, arrival, rule, strangers);
        }
        if (!subject.isAboutJobs()) {
            return answerLarge(subject, arrival, rule, large);
        }
        return CompletableFuture.supplyAsync(() -> ReviewReader.ownDoing(arrival.body(), subject.kinds()), ahead)
                .thenCompose(own -> own.map(uid -> passed(subject, arrival.body(), uid))
                        .orElseGet(() -> answerLarge(subject, arrival, rule, large)));
    }

    private <C> CompletionStage<Response> answerLarge(
            Subject<C> subject,
            Arrival arrival,
            BiFunction<C, Asking, CompletionStage<Decision>> rule,
            Executor executor) {
        return CompletableFuture.supplyAsync(
                        () -> heap.large(arrival.body(), patience(arrival))
                                .map(lease -> answer(subject, arrival, lease, rule))
                                .orElseGet(() -> unread(subject, arrival.body())),
                        executor)
                .thenCompose(Function.identity());
    }

    private static Duration patience(Arrival arrival) {
        return arrival.isOfStranger() ? Duration.ZERO : arrival.deadline().remaining();
    }

    /** Unread: an edit that is being carried out holds room, and would wait for this answer in vain. */
    private <C> CompletionStage<Response> passed(Subject<C> subject, Body body, String uid) {
        body.release();
        var decision = Decision.allow(NEVER_TOUCHED);
        metrics.decided(subject.endpoint(), decision, Duration.ZERO);
        return CompletableFuture.completedStage(review(writer.write(uid, decision)));
    }

    private <C> CompletionStage<Response> answer(
            Subject<C> subject, Arrival arrival, Lease lease, BiFunction<C, Asking, CompletionStage<Decision>> rule) {
        var length = arrival.body().length();
        var reading = reading(subject, arrival.body(), lease);
        lease.shrinkTo(reading instanceof Review review ? HeapRoom.cost(review, length) : 0);
        var isRoom = reading instanceof Review review && HeapRoom.suffices(review, length);
        var asking = new Asking(arrival.caller(), arrival.deadline(), isRoom);
        return answer(subject, reading, change -> rule.apply(change, asking))
                .whenComplete((answer, failure) -> lease.release());
    }

    /** Whatever comes of it, what it took is given back: the room is there once. */
    private static ReviewReading reading(Subject<?> subject, Body body, Lease lease) {
        try {
            return ReviewReader.read(body, subject.kinds(), HeapRoom.allowance());
        } catch (RuntimeException e) {
            lease.release();
            throw e;
        } finally {
            body.release();
        }
    }

    private <C> CompletionStage<Response> unread(Subject<C> subject, Body body) {
        ReviewReading reading;
        try {
            reading = ReviewReader.readEnvelope(body, subject.kinds());
        } finally {
            body.release();
        }
        return answer(subject, reading, change -> CompletableFuture.failedStage(new IllegalStateException("unread")));
    }

    private <C> CompletionStage<Response> answer(
            Subject<C> subject, ReviewReading reading, Function<C, CompletionStage<Decision>> rule) {
        return switch (reading) {
            case Malformed(Fault fault) -> {
                metrics.malformed(fault);
                yield CompletableFuture.completedStage(line(Response.Status.BAD_REQUEST, fault.line()));
            }
            case TooCostly(String uid) -> CompletableFuture.completedStage(tooLarge(subject, uid));
            case Review review -> answer(subject, review, rule);
        };
    }

    /** Let through, as everything is that nobody can be sure about; and whoever looks is told. */
    private Response tooLarge(Subject<?> subject, String uid) {
        metrics.tooLarge(subject.endpoint());
        complaints
                .next()
                .ifPresent(heldBack -> LOG.warnf(
                        "left to the API server, too large to judge with the memory there is: endpoint=%s uid=%s (and %d more unlogged)",
                        subject.endpoint().label(), printable(uid), heldBack));
        var decision = Decision.allow(UNSURE).withWarnings(List.of(new NotJudged()));
        return review(writer.write(uid, decision));
    }

    /** The one place where an unexpected exception becomes an answer: not a review, so that failurePolicy decides. */
    private <C> CompletionStage<Response> answer(
            Subject<C> subject, Review review, Function<C, CompletionStage<Decision>> rule) {
        return CompletableFuture.completedStage(review)
                .thenCompose(given -> judge(subject, given, rule))
                .handle((answer, failure) ->
                        failure == null ? review(answer) : broken(subject.endpoint(), review, failure));
    }

    private Response broken(Endpoint endpoint, Review review, Throwable failure) {
        var errorId = UUID.randomUUID();
        metrics.failed(endpoint);
        LOG.errorf(
                "review failed: error=%s endpoint=%s uid=%s at=%s",
                errorId, endpoint.label(), printable(review.uid()), where(failure));
        return line(Response.Status.INTERNAL_SERVER_ERROR, "the review could not be judged, error " + errorId);
    }

    private <C> CompletionStage<byte[]> judge(
            Subject<C> subject, Review review, Function<C, CompletionStage<Decision>> rule) {
        var begin = System.nanoTime();
        return switch (subject.reader().apply(review.request())) {
            case Parsed<C>(C change) ->
                rule.apply(change).thenApply(decision -> {
                    var answer = writer.write(review.uid(), decision);
                    metrics.decided(subject.endpoint(), decision, Duration.ofNanos(System.nanoTime() - begin));
                    log(subject, review, change, decision);
                    return answer;
                });
            case Unsupported<C>(String where) -> {
                metrics.unsupported(subject.endpoint());
                complaints
                        .next()
                        .ifPresent(heldBack -> LOG.warnf(
                                "left to the API server, not as expected: %s endpoint=%s uid=%s (and %d more unlogged)",
                                where, subject.endpoint().label(), printable(review.uid()), heldBack));
                yield CompletableFuture.completedStage(writer.write(review.uid(), Decision.allow(UNSURE)));
            }
        };
    }

    private <C> void log(Subject<C> subject, Review review, C change, Decision decision) {
        var endpoint = subject.endpoint().label();
        switch (decision.verdict()) {
            case Deny(JobEditGuidance guidance) ->
                LOG.infof(
                        "denied: code=%s fields=%s %s endpoint=%s uid=%s",
                        guidance.code().token(),
                        few(guidance.fields()),
                        subject.about().apply(change),
                        endpoint,
                        printable(review.uid()));
            case Deny(RolloutHeld held) ->
                // many of one rollout, whose beginning and end are told of
                LOG.debugf(
                        "%s: pool=%s %s endpoint=%s uid=%s",
                        RolloutText.reason(held),
                        held.pool(),
                        subject.about().apply(change),
                        endpoint,
                        printable(review.uid()));
            case Allow(var reason, var patch) -> {
                if (reason.isUnknown()) {
                    gaps.next()
                            .ifPresent(heldBack -> LOG.warnf(
                                    "rollout not held, the state of the cluster is not known: reason=%s (and %d more unlogged)",
                                    reason.token(), heldBack));
                }
                LOG.logf(
                        patch.isEmpty() ? subject.quiet() : Level.INFO,
                        "allowed: reason=%s patched=%s %s endpoint=%s uid=%s",
                        reason.token(),
                        !patch.isEmpty(),
                        subject.about().apply(change),
                        endpoint,
                        printable(review.uid()));
            }
            case CarryOut(var effect) -> throw new IllegalStateException("not concluded: " + effect.getClass());
        }
    }

    /** Kinds and places of an exception and its causes, without their messages: those can hold values of the object. */
    private static String where(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MAX_CAUSES)
                .map(cause -> cause.getClass().getName() + " "
                        + Arrays.stream(cause.getStackTrace())
                                .limit(MAX_FRAMES)
                                .map(StackTraceElement::toString)
                                .toList())
                .collect(Collectors.joining(", caused by "));
    }

    /** Thousands of fields can differ, and nobody reads a line of megabytes. */
    private static String few(List<String> fields) {
        var first = fields.stream().limit(MAX_FIELDS).toList().toString();
        return fields.size() <= MAX_FIELDS ? first : first + " and %d more".formatted(fields.size() - MAX_FIELDS);
    }

    /** The uid comes from outside and could hold anything. */
    private static String printable(String uid) {
        return UID.matcher(uid).matches() ? uid : "unprintable";
    }

    private static Response review(byte[] answer) {
        return Response.ok(answer, MediaType.APPLICATION_JSON_TYPE).build();
    }

    private static Response line(Response.Status status, String line) {
        return Response.status(status)
                .type(MediaType.TEXT_PLAIN_TYPE)
                .entity(line + "\n")
                .build();
    }
}
