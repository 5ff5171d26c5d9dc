package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Effect;
import dev.gitopsinterlock.admission.Outcome;
import dev.gitopsinterlock.admission.Outcome.Unavailable;
import dev.gitopsinterlock.admission.Verdict.CarryOut;
import dev.gitopsinterlock.cluster.Deadline;
import dev.gitopsinterlock.cluster.JobEffects;
import dev.gitopsinterlock.cluster.JobEvents;
import dev.gitopsinterlock.cluster.NamespaceAnnotations;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.JobEditRule;
import dev.gitopsinterlock.job.JobLintRule;
import dev.gitopsinterlock.job.JobRule;
import dev.gitopsinterlock.webhook.ReviewHandler.Asking;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * What the API server asks about Jobs. Answers from memory alone, a small review on the event loop, a big one on a
 * worker; only an edit that is to be carried out waits for the cluster, on a thread of its own.
 */
@Path("/")
@Consumes(MediaType.APPLICATION_JSON)
@NonBlocking
public final class JobResource {

    private static final Outcome UNTRUSTED = new Unavailable(
            "the caller did not prove that it is the API server: the path in the webhook configuration lacks the caller token or has another one");

    private static final Outcome TOO_LARGE =
            new Unavailable("gitops-interlock has too little memory to replace a Job as large as this one");

    private static final Outcome UNKNOWN_POLICY =
            new Unavailable("the Namespace's policy is not known, because Namespaces cannot be watched");

    private final Settings settings;
    private final NamespaceAnnotations namespaces;
    private final JobEffects effects;
    private final JobEvents events;
    private final ReviewMetrics metrics;
    private final ReviewHandler reviews;
    private final Executor waiting = Executors.newVirtualThreadPerTaskExecutor();

    JobResource(
            Settings settings,
            NamespaceAnnotations namespaces,
            JobEffects effects,
            JobEvents events,
            ReviewMetrics metrics,
            ReviewHandler reviews) {
        this.settings = settings;
        this.namespaces = namespaces;
        this.effects = effects;
        this.events = events;
        this.metrics = metrics;
        this.reviews = reviews;
    }

    /** For the mutating registration: the only place where a refused edit can still be explained, or carried out. */
    @POST
    @Path("mutate/jobs")
    public CompletionStage<Response> mutateJobs(@Context RoutingContext request) {
        return reviews.answer(Subject.JOB_EDIT, request, this::mutate);
    }

    /** For the validating registration: advice beside an allowed CREATE, and in an Event on the Job. */
    @POST
    @Path("validate/jobs")
    public CompletionStage<Response> validateJobs(@Context RoutingContext request) {
        return reviews.answer(
                Subject.NEW_JOB,
                request,
                (change, asking) -> CompletableFuture.completedStage(advise(change, asking.caller())));
    }

    private Decision advise(JobChange change, Caller caller) {
        var decision = JobLintRule.decide(change, settings.levels());
        if (caller instanceof ApiServer apiServer && !decision.warnings().isEmpty() && !change.dryRun()) {
            events.advised(
                    apiServer,
                    change.after(),
                    decision.warnings().stream().map(settings.text()::warning).toList());
        }
        return decision;
    }

    /** At once where the facts at hand suffice; else on a thread that may wait for the cluster. */
    private CompletionStage<Decision> mutate(JobChange change, Asking asking) {
        var namespace = namespaces.of(change.job().namespace());
        var decision = JobRule.decide(change, settings.levels(), namespace);
        if (!(decision.verdict() instanceof CarryOut(var effect))) {
            return CompletableFuture.completedStage(decision);
        }
        if (!namespaces.isKnown()) {
            // it may say Reject
            return CompletableFuture.completedStage(JobEditRule.conclude(change, effect, UNKNOWN_POLICY, decision));
        }
        if (!asking.leavesRoom()) {
            return CompletableFuture.completedStage(JobEditRule.conclude(change, effect, TOO_LARGE, decision));
        }
        return asking.caller() instanceof ApiServer apiServer
                ? CompletableFuture.supplyAsync(
                        () -> carryOut(change, apiServer, effect, decision, asking.deadline()), waiting)
                : CompletableFuture.completedStage(JobEditRule.conclude(change, effect, UNTRUSTED, decision));
    }

    private Decision carryOut(JobChange change, ApiServer caller, Effect effect, Decision decision, Deadline deadline) {
        long begin = System.nanoTime();
        var outcome = effects.carryOut(caller, effect, deadline);
        metrics.carriedOut(effect, outcome, Duration.ofNanos(System.nanoTime() - begin));
        return JobEditRule.conclude(change, effect, outcome, decision);
    }
}
