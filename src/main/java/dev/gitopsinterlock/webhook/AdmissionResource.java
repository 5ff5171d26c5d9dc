package dev.gitopsinterlock.webhook;

import static dev.gitopsinterlock.admission.Verdict.Because.UNSURE;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.cluster.NamespaceAnnotations;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.job.JobAdviceRule;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.JobEditRule;
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
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The endpoints that the API server calls. Answers from memory alone; a small review on the event loop, a big one on a
 * worker.
 */
@Path("/")
@Consumes(MediaType.APPLICATION_JSON)
@NonBlocking
public final class AdmissionResource {

    private static final Logger LOG = Logger.getLogger(AdmissionResource.class);
    private static final int MAX_CAUSES = 5;
    private static final int MAX_FRAMES = 12;
    private static final Pattern UID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    private final Settings settings;
    private final NamespaceAnnotations namespaces;
    private final ReviewMetrics metrics;
    private final ReviewWriter writer;
    private final OncePerMinute complaints = new OncePerMinute(InstantSource.system());

    AdmissionResource(Settings settings, NamespaceAnnotations namespaces, ReviewMetrics metrics) {
        this.settings = settings;
        this.namespaces = namespaces;
        this.metrics = metrics;
        this.writer = new ReviewWriter(settings.text());
    }

    /** For the mutating registration: the only place where a refused edit can still be explained. */
    @POST
    @Path("mutate/jobs")
    public Response mutateJobs(byte[] body) {
        return answer(
                Endpoint.MUTATE_JOBS,
                body,
                change -> JobEditRule.decide(
                        change, settings.levels(), namespaces.of(change.job().namespace())));
    }

    /** For the validating registration: advice beside an allowed CREATE. */
    @POST
    @Path("validate/jobs")
    public Response validateJobs(byte[] body) {
        return answer(Endpoint.VALIDATE_JOBS, body, change -> JobAdviceRule.decide(change, settings.levels()));
    }

    private Response answer(Endpoint endpoint, byte[] body, Function<JobChange, Decision> rule) {
        return switch (ReviewReader.read(body)) {
            case Malformed(Fault fault) -> {
                metrics.malformed(fault);
                yield line(Response.Status.BAD_REQUEST, fault.line());
            }
            case Review review -> answer(endpoint, review, rule);
        };
    }

    /** The one place where an unexpected exception becomes an answer: not a review, so that failurePolicy decides. */
    private Response answer(Endpoint endpoint, Review review, Function<JobChange, Decision> rule) {
        try {
            return Response.ok(judge(endpoint, review, rule), MediaType.APPLICATION_JSON_TYPE)
                    .build();
        } catch (RuntimeException e) {
            var errorId = UUID.randomUUID();
            metrics.failed(endpoint);
            LOG.errorf(
                    "review failed: error=%s endpoint=%s uid=%s at=%s",
                    errorId, endpoint.label(), printable(review), where(e));
            return line(Response.Status.INTERNAL_SERVER_ERROR, "the review could not be judged, error " + errorId);
        }
    }

    private byte[] judge(Endpoint endpoint, Review review, Function<JobChange, Decision> rule) {
        var begin = System.nanoTime();
        return switch (JobReader.read(review.request())) {
            case JobRequest(JobChange change) -> {
                var decision = rule.apply(change);
                var answer = writer.write(review.uid(), decision);
                metrics.decided(endpoint, decision, Duration.ofNanos(System.nanoTime() - begin));
                log(endpoint, review, change, decision);
                yield answer;
            }
            case Unjudgeable(String where) -> {
                metrics.unjudgeable(endpoint);
                complaints
                        .next()
                        .ifPresent(heldBack -> LOG.warnf(
                                "left to the API server, not as expected: %s endpoint=%s uid=%s (and %d more unlogged)",
                                where, endpoint.label(), printable(review), heldBack));
                yield writer.write(review.uid(), Decision.allow(UNSURE));
            }
        };
    }

    private static void log(Endpoint endpoint, Review review, JobChange change, Decision decision) {
        if (decision.verdict() instanceof Deny(var guidance)) {
            LOG.infof(
                    "denied: code=%s tool=%s job=%s fields=%s dryRun=%s endpoint=%s uid=%s",
                    guidance.code().token(),
                    guidance.requester().label(),
                    guidance.job(),
                    guidance.fields(),
                    change.dryRun(),
                    endpoint.label(),
                    printable(review));
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
