package dev.gitopsinterlock.cluster;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.admission.Effect;
import dev.gitopsinterlock.admission.Effect.Order;
import dev.gitopsinterlock.admission.Effect.ReplaceJob;
import dev.gitopsinterlock.admission.Effect.StartRun;
import dev.gitopsinterlock.admission.Outcome;
import dev.gitopsinterlock.admission.Outcome.Done;
import dev.gitopsinterlock.admission.Outcome.Gone;
import dev.gitopsinterlock.admission.Outcome.NotNow;
import dev.gitopsinterlock.admission.Outcome.Refused;
import dev.gitopsinterlock.admission.Outcome.RightsMissing;
import dev.gitopsinterlock.admission.Outcome.Superseded;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.job.OurMarks;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Carries effects out. Every step before a deletion leaves everything as it was if it fails; nothing is deleted unless
 * there is time for the creation. Blocks, for as long as the deadline allows; any thread may call.
 */
@Singleton
public final class JobEffects {

    private static final Logger LOG = Logger.getLogger(JobEffects.class);

    /** Kept back for creating the new Job once the old one is deleted. */
    private static final Duration CREATION = Duration.ofSeconds(2);

    /** The Job controller is done with a Job that finished longer ago. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    /** How long another replica may take to create the Job that it deleted. */
    private static final Duration OTHERS_CREATION = Duration.ofSeconds(1);

    private static final Duration STEP = Duration.ofMillis(50);

    /** Says of a new Job whose place it took. */
    private static final JsonPointer REPLACED = OurMarks.annotation(OurMarks.REPLACED);

    private final KubernetesApi api;
    private final JobEvents events;
    private final AfterCare afterCare;
    private final Duration settle;
    private final Semaphore places;

    JobEffects(KubernetesApi api, JobEvents events, AfterCare afterCare, Settings settings) {
        this.api = api;
        this.events = events;
        this.afterCare = afterCare;
        this.settle = settings.effects().settle();
        this.places = new Semaphore(settings.effects().concurrent(), true);
    }

    /** Never throws for what happens in the cluster; the outcome says whether anything was changed. */
    public Outcome carryOut(Effect effect, Deadline deadline) {
        var latest = deadline.earlierBy(reserve(effect));
        try {
            if (!places.tryAcquire(latest.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
                return new NotNow("too little of the request's time was left");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new NotNow("gitops-interlock is stopping");
        }
        try {
            return switch (effect) {
                case ReplaceJob replacement -> replace(replacement, latest, deadline);
                case StartRun run -> start(run, deadline);
            };
        } finally {
            places.release();
        }
    }

    private Duration reserve(Effect effect) {
        return effect instanceof ReplaceJob replacement && !effect.order().dryRun()
                ? pause(replacement).plus(CREATION)
                : Duration.ZERO;
    }

    /** The Job controller must see the deletion first, or it never starts the new Job (kubernetes#142142). */
    private Duration pause(ReplaceJob replacement) {
        var quietSince = Instant.now().minus(QUIET);
        return replacement.finishedAt().filter(quietSince::isAfter).isPresent() ? Duration.ZERO : settle;
    }

    private Outcome replace(ReplaceJob replacement, Deadline latest, Deadline deadline) {
        var order = replacement.order();
        var obstacle = obstacle(order, latest);
        if (obstacle.isPresent() || order.dryRun()) {
            return obstacle.orElseGet(Done::new);
        }
        if (!latest.leaves(Duration.ZERO)) {
            return new NotNow("too little of the request's time was left");
        }
        var failure = delete(replacement, latest, deadline);
        if (failure.isPresent()) {
            return failure.get();
        }
        sleep(pause(replacement));
        return create(order, deadline);
    }

    private Outcome start(StartRun run, Deadline deadline) {
        var order = run.order();
        var obstacle = missingRight(order, List.of("create"), deadline);
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        try {
            var answer = api.createJob(order, order.dryRun(), deadline.remaining());
            if (answer.isSuccess() && !order.dryRun()) {
                events.started(order, answer.body());
            }
            return answer.isSuccess() || answer.alreadyExists() ? new Done() : refusal(answer);
        } catch (IOException e) {
            return unreachable(e);
        }
    }

    /** Whatever would stand in the way of the replacement, asked before anything is touched. */
    private Optional<Outcome> obstacle(Order order, Deadline latest) {
        var missing = missingRight(order, List.of("delete", "create"), latest);
        if (missing.isPresent()) {
            return missing;
        }
        try {
            var answer = api.createJob(order, true, latest.remaining());
            // the name is taken: by then every policy and quota has agreed
            return answer.isSuccess() || answer.alreadyExists() ? Optional.empty() : Optional.of(refusal(answer));
        } catch (IOException e) {
            return Optional.of(unreachable(e));
        }
    }

    private Optional<Outcome> missingRight(Order order, List<String> verbs, Deadline latest) {
        try {
            var missing = new ArrayList<String>();
            for (var verb : verbs) {
                var answer = api.reviewAccess(AccessReviews.of(order, verb), latest.remaining());
                if (!answer.isSuccess()) {
                    return Optional.of(new NotNow("rights could not be asked for, HTTP status " + answer.status()));
                }
                if (!answer.body().path("status").path("allowed").asBoolean()) {
                    missing.add(verb);
                }
            }
            return missing.isEmpty() ? Optional.empty() : Optional.of(new RightsMissing(missing));
        } catch (IOException e) {
            return Optional.of(unreachable(e));
        }
    }

    /** Nothing if the old Job is gone by our hand. */
    private Optional<Outcome> delete(ReplaceJob replacement, Deadline latest, Deadline deadline) {
        var job = replacement.order().job();
        try {
            var answer =
                    api.deleteJob(job, replacement.uid(), latest.remaining().plus(CREATION.dividedBy(2)));
            if (answer.isSuccess()) {
                return Optional.empty();
            }
            if (answer.status() == 404) {
                awaitOthersCreation(replacement, deadline);
                return Optional.of(new Superseded());
            }
            // a conflict: the uid is another one's, or a policy answers so; whose Job it is tells which
            if (answer.status() == 409 || answer.isUnclear()) {
                return whatBecameOf(replacement, answer, deadline);
            }
            return Optional.of(refusal(answer));
        } catch (IOException e) {
            LOG.debug("deletion without an answer", e);
            return whatBecameOf(replacement, new ApiAnswer(0, MissingNode.getInstance()), deadline);
        }
    }

    /** After a deletion that may have happened or not. Asked until there is an answer. */
    private Optional<Outcome> whatBecameOf(ReplaceJob replacement, ApiAnswer deletion, Deadline deadline) {
        while (deadline.leaves(STEP)) {
            try {
                var answer = api.getJob(
                        replacement.order().job(), deadline.remaining().dividedBy(2));
                if (answer.status() == 404) {
                    return Optional.empty();
                }
                if (answer.isSuccess()) {
                    return Optional.of(whatIsThere(replacement, answer.body(), deletion));
                }
            } catch (IOException e) {
                LOG.debug("no answer either to what became of the Job", e);
            }
            sleep(STEP);
        }
        return Optional.of(new Gone("the API server does not answer; the old Job may still be there"));
    }

    private static Outcome whatIsThere(ReplaceJob replacement, JsonNode live, ApiAnswer deletion) {
        if (!isStillThere(replacement, live)) {
            return new Superseded();
        }
        return deletion.status() == 409
                ? new Refused(deletion.words())
                : new NotNow("the API server did not delete the old Job");
    }

    private static boolean isStillThere(ReplaceJob replacement, JsonNode live) {
        var metadata = live.path("metadata");
        return metadata.path("uid").asText().equals(replacement.uid()) && !metadata.hasNonNull("deletionTimestamp");
    }

    /** So that the API server finds a Job when it reads it again, and the client gets an ordinary answer. */
    private void awaitOthersCreation(ReplaceJob replacement, Deadline deadline) {
        var end = Deadline.in(settle.plus(OTHERS_CREATION));
        while (end.leaves(STEP) && deadline.leaves(STEP)) {
            try {
                if (api.getJob(replacement.order().job(), deadline.remaining()).isSuccess()) {
                    return;
                }
            } catch (IOException e) {
                LOG.debug("waiting for another replica's Job", e);
            }
            sleep(STEP);
        }
    }

    /** The name makes this safe to repeat: there is never a second Job. */
    private Outcome create(Order order, Deadline deadline) {
        var why = "no time was left";
        for (int attempt = 1; deadline.leaves(STEP); attempt++) {
            try {
                var answer = api.createJob(order, false, deadline.remaining().dividedBy(2));
                if (attempt > 1 && answer.alreadyExists()) {
                    answer = createdBefore(order, deadline).orElse(answer);
                }
                if (answer.isSuccess()) {
                    events.replaced(order, answer.body());
                    afterCare.lookAfter(order.job(), answer.body());
                    return new Done();
                }
                if (answer.alreadyExists()) {
                    return new Superseded();
                }
                why = answer.words();
                if (!answer.isTransient()) {
                    return new Gone(why);
                }
            } catch (IOException e) {
                LOG.debug("creation without an answer", e);
                why = "the API server does not answer";
            }
            sleep(STEP);
        }
        return new Gone(why);
    }

    /** The new Job, if it comes from an attempt whose answer was lost. */
    private Optional<ApiAnswer> createdBefore(Order order, Deadline deadline) throws IOException {
        return Optional.of(api.getJob(order.job(), deadline.remaining().dividedBy(2)))
                .filter(answer -> answer.isSuccess()
                        && answer.body().at(REPLACED).equals(order.newJob().at(REPLACED)));
    }

    private static Outcome refusal(ApiAnswer answer) {
        return answer.isTransient()
                ? new NotNow("the API server answered with HTTP status " + answer.status())
                : new Refused(answer.words());
    }

    private static Outcome unreachable(IOException failure) {
        LOG.debug("no answer", failure);
        return new NotNow("the API server did not answer in time");
    }

    private static void sleep(Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            // half a replacement is worse than a late end
            Thread.currentThread().interrupt();
        }
    }
}
