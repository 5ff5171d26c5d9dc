package dev.gitopsinterlock.webhook;

import static dev.gitopsinterlock.admission.Verdict.Because.UNSURE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Effect;
import dev.gitopsinterlock.admission.Outcome;
import dev.gitopsinterlock.admission.Outcome.NotNow;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.CarryOut;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.cluster.Deadline;
import dev.gitopsinterlock.cluster.JobEffects;
import dev.gitopsinterlock.cluster.NamespaceAnnotations;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.job.JobAdviceRule;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.JobEditRule;
import dev.gitopsinterlock.job.JobRule;
import dev.gitopsinterlock.webhook.JobReading.JobRequest;
import dev.gitopsinterlock.webhook.JobReading.Unjudgeable;
import dev.gitopsinterlock.webhook.ReviewMetrics.Endpoint;
import dev.gitopsinterlock.webhook.ReviewReading.Fault;
import dev.gitopsinterlock.webhook.ReviewReading.Malformed;
import dev.gitopsinterlock.webhook.ReviewReading.Review;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that the API server calls. Answers from memory alone, a small review on the event loop, a big one on a
 * worker; only an edit that is to be carried out waits for the cluster, on a thread of its own.
 */
@Path("/")
@Consumes(MediaType.APPLICATION_JSON)
@NonBlocking
public final class AdmissionResource {

    private static final Logger LOG = Logger.getLogger(AdmissionResource.class);
    private static final Outcome UNTRUSTED =
            new NotNow("the review did not come in on the path that the registration must name");
    private static final int MAX_CAUSES = 5;
    private static final int MAX_FRAMES = 12;
    private static final Pattern UID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    private final Settings settings;
    private final NamespaceAnnotations namespaces;
    private final JobEffects effects;
    private final ReviewMetrics metrics;
    private final Executor waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final ReviewWriter writer;
    private final OncePerMinute complaints = new OncePerMinute(InstantSource.system());

    AdmissionResource(Settings settings, NamespaceAnnotations namespaces, JobEffects effects, ReviewMetrics metrics) {
        this.settings = settings;
        this.namespaces = namespaces;
        this.effects = effects;
        this.metrics = metrics;
        this.writer = new ReviewWriter(settings.text());
    }

    /**
     * For the mutating registration: the only place where a refused edit can still be explained, or carried out.
     *
     * @param token what follows in the path; the registration's secret word, if there is one
     * @param timeout how long the API server waits
     */
    @POST
    @Path("mutate/jobs{token:(/[^/]*)?}")
    public CompletionStage<Response> mutateJobs(
            @PathParam("token") String token, @QueryParam("timeout") @Nullable String timeout, byte[] body) {
        var deadline = Deadline.in(CallTime.of(timeout));
        var isTrusted =
                settings.callerToken().map(word -> isEqual("/" + word, token)).orElse(true);
        return answer(Endpoint.MUTATE_JOBS, body, change -> mutate(change, isTrusted, deadline));
    }

    /** In a time that does not tell how much of it is right. */
    private static boolean isEqual(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
    }

    /** For the validating registration: advice beside an allowed CREATE. */
    @POST
    @Path("validate/jobs")
    public CompletionStage<Response> validateJobs(byte[] body) {
        return answer(
                Endpoint.VALIDATE_JOBS,
                body,
                change -> CompletableFuture.completedStage(JobAdviceRule.decide(change, settings.levels())));
    }

    /** At once where the facts at hand suffice; else on a thread that may wait for the cluster. */
    private CompletionStage<Decision> mutate(JobChange change, boolean isTrusted, Deadline deadline) {
        var namespace = namespaces.of(change.job().namespace());
        var decision = JobRule.decide(change, settings.levels(), namespace);
        if (!(decision.verdict() instanceof CarryOut(var effect))) {
            return CompletableFuture.completedStage(decision);
        }
        // a review says itself who sent it: only the API server's word is good enough to act on
        return isTrusted
                ? CompletableFuture.supplyAsync(() -> carryOut(change, effect, decision, deadline), waiting)
                : CompletableFuture.completedStage(JobEditRule.conclude(change, effect, UNTRUSTED, decision));
    }

    private Decision carryOut(JobChange change, Effect effect, Decision decision, Deadline deadline) {
        var outcome = effects.carryOut(effect, deadline);
        metrics.carriedOut(effect, outcome);
        return JobEditRule.conclude(change, effect, outcome, decision);
    }

    private CompletionStage<Response> answer(
            Endpoint endpoint, byte[] body, Function<JobChange, CompletionStage<Decision>> rule) {
        return switch (ReviewReader.read(body)) {
            case Malformed(Fault fault) -> {
                metrics.malformed(fault);
                yield CompletableFuture.completedStage(line(Response.Status.BAD_REQUEST, fault.line()));
            }
            case Review review -> answer(endpoint, review, rule);
        };
    }

    /** The one place where an unexpected exception becomes an answer: not a review, so that failurePolicy decides. */
    private CompletionStage<Response> answer(
            Endpoint endpoint, Review review, Function<JobChange, CompletionStage<Decision>> rule) {
        return CompletableFuture.completedStage(review)
                .thenCompose(given -> judge(endpoint, given, rule))
                .handle((answer, failure) -> failure == null
                        ? Response.ok(answer, MediaType.APPLICATION_JSON_TYPE).build()
                        : broken(endpoint, review, failure));
    }

    private Response broken(Endpoint endpoint, Review review, Throwable failure) {
        var errorId = UUID.randomUUID();
        metrics.failed(endpoint);
        LOG.errorf(
                "review failed: error=%s endpoint=%s uid=%s at=%s",
                errorId, endpoint.label(), printable(review), where(failure));
        return line(Response.Status.INTERNAL_SERVER_ERROR, "the review could not be judged, error " + errorId);
    }

    private CompletionStage<byte[]> judge(
            Endpoint endpoint, Review review, Function<JobChange, CompletionStage<Decision>> rule) {
        var begin = System.nanoTime();
        return switch (JobReader.read(review.request())) {
            case JobRequest(JobChange change) ->
                rule.apply(change).thenApply(decision -> {
                    var answer = writer.write(review.uid(), decision);
                    metrics.decided(endpoint, decision, Duration.ofNanos(System.nanoTime() - begin));
                    log(endpoint, review, change, decision);
                    return answer;
                });
            case Unjudgeable(String where) -> {
                metrics.unjudgeable(endpoint);
                complaints
                        .next()
                        .ifPresent(heldBack -> LOG.warnf(
                                "left to the API server, not as expected: %s endpoint=%s uid=%s (and %d more unlogged)",
                                where, endpoint.label(), printable(review), heldBack));
                yield CompletableFuture.completedStage(writer.write(review.uid(), Decision.allow(UNSURE)));
            }
        };
    }

    /** What changes nothing is logged for those who look for it. */
    private static void log(Endpoint endpoint, Review review, JobChange change, Decision decision) {
        switch (decision.verdict()) {
            case Deny(var guidance) ->
                LOG.infof(
                        "denied: code=%s tool=%s job=%s fields=%s dryRun=%s endpoint=%s uid=%s",
                        guidance.code().token(),
                        guidance.requester().label(),
                        guidance.job(),
                        guidance.fields(),
                        change.dryRun(),
                        endpoint.label(),
                        printable(review));
            case Allow(var because, var patch) ->
                LOG.logf(
                        patch.isEmpty() ? Level.DEBUG : Level.INFO,
                        "allowed: because=%s patched=%s tool=%s job=%s dryRun=%s endpoint=%s uid=%s",
                        because,
                        !patch.isEmpty(),
                        change.tool().label(),
                        change.job(),
                        change.dryRun(),
                        endpoint.label(),
                        printable(review));
            case CarryOut(var effect) -> throw new IllegalStateException("not concluded: " + effect.getClass());
        }
    }

    /** Kinds and places of an exception and its causes, without their messages: those can hold values of the Job. */
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

    /** The uid comes from outside and could hold anything. */
    private static String printable(Review review) {
        return UID.matcher(review.uid()).matches() ? review.uid() : "unprintable";
    }

    private static Response line(Response.Status status, String line) {
        return Response.status(status)
                .type(MediaType.TEXT_PLAIN_TYPE)
                .entity(line + "\n")
                .build();
    }
}
