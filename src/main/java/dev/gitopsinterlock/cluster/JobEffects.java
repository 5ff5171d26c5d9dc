package dev.gitopsinterlock.cluster;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Effect;
import dev.gitopsinterlock.admission.Effect.Order;
import dev.gitopsinterlock.admission.Effect.ReplaceJob;
import dev.gitopsinterlock.admission.Effect.StartRun;
import dev.gitopsinterlock.admission.Outcome;
import dev.gitopsinterlock.admission.Outcome.Done;
import dev.gitopsinterlock.admission.Outcome.Gone;
import dev.gitopsinterlock.admission.Outcome.NotImpersonated;
import dev.gitopsinterlock.admission.Outcome.NotNow;
import dev.gitopsinterlock.admission.Outcome.Refused;
import dev.gitopsinterlock.admission.Outcome.RightsMissing;
import dev.gitopsinterlock.admission.Outcome.Superseded;
import dev.gitopsinterlock.cluster.CarryOutIdentity.Mode;
import dev.gitopsinterlock.cluster.Identity.Impossible;
import dev.gitopsinterlock.cluster.Identity.OwnAccount;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.job.OurMarks;
import dev.gitopsinterlock.patch.Draft;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Carries effects out, in the name of {@link CarryOutIdentity}. What a review says of the live Job is not believed: it has
 * to be the Job that the cluster has, to the letter, or nothing is done. Every step before a deletion leaves everything
 * as it was if it fails; nothing is deleted unless there is time for the creation. Blocks, for as long as the deadline
 * allows; any thread may call.
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
    private final CarryOutIdentity identities;
    private final Duration settle;
    private final Semaphore places;

    JobEffects(
            KubernetesApi api, JobEvents events, AfterCare afterCare, CarryOutIdentity identities, Settings settings) {
        this.api = api;
        this.identities = identities;
        this.events = events;
        this.afterCare = afterCare;
        this.settle = settings.effects().settle();
        this.places = new Semaphore(settings.effects().concurrent(), true);
    }

    /**
     * Never throws for what happens in the cluster; the outcome says whether anything was changed.
     *
     * @param caller proven to be the API server, which alone is obeyed
     */
    public Outcome carryOut(ApiServer caller, Effect effect, Deadline deadline) {
        Objects.requireNonNull(caller, "caller is null");
        if (identities.mode() instanceof Mode.Not(var why)) {
            return new NotNow("carrying out is off, " + why);
        }
        return switch (identities.of(effect.order().requester())) {
            case Impossible(var why) -> new NotImpersonated(why);
            case Identity identity -> inTurn(effect, identity, deadline);
        };
    }

    /** Not too many at a time. */
    private Outcome inTurn(Effect effect, Identity identity, Deadline deadline) {
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
                case ReplaceJob replacement -> replace(replacement, identity, latest, deadline);
                case StartRun run -> start(run, identity, deadline);
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

    private Outcome replace(ReplaceJob replacement, Identity identity, Deadline latest, Deadline deadline) {
        var order = replacement.order();
        var obstacle = mismatch(order, latest).or(() -> obstacle(order, identity, latest));
        if (obstacle.isPresent() || order.dryRun()) {
            return obstacle.orElseGet(Done::new);
        }
        if (!latest.leaves(Duration.ZERO)) {
            return new NotNow("too little of the request's time was left");
        }
        var failure = delete(replacement, identity, latest, deadline);
        if (failure.isPresent()) {
            return failure.get();
        }
        sleep(pause(replacement));
        return create(order, identity, deadline);
    }

    private Outcome start(StartRun run, Identity identity, Deadline deadline) {
        var order = run.order();
        var obstacle = mismatch(order, deadline).or(() -> missingRight(order, identity, List.of("create"), deadline));
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        try {
            var answer = api.createJob(order, identity, order.dryRun(), deadline.remaining());
            if (answer.isSuccess() && !order.dryRun()) {
                events.started(order, answer.body());
            }
            return answer.isSuccess() || answer.alreadyExists() ? new Done() : refusal(answer, identity);
        } catch (IOException e) {
            return unreachable(e);
        }
    }

    /**
     * Whether the live Job is another one than the review's, or has changed since. Then the API server, too, finds that
     * out when it stores its answer, reads again and asks again; whoever made the review up gets nothing.
     */
    private Optional<Outcome> mismatch(Order order, Deadline latest) {
        try {
            var answer = api.getJob(order.job(), latest.remaining());
            if (answer.status() == 404) {
                awaitOthersCreation(order, latest);
                return Optional.of(new Superseded());
            }
            if (!answer.isSuccess()) {
                return Optional.of(new NotNow("the live Job could not be read, HTTP status " + answer.status()));
            }
            return isSeen(order, answer.body()) ? Optional.empty() : Optional.of(new Superseded());
        } catch (IOException e) {
            return Optional.of(unreachable(e));
        }
    }

    /** All that a rule reads of it; the owners of its fields are left aside, because nothing is decided by them. */
    private static boolean isSeen(Order order, JsonNode live) {
        return withoutOwners(order.seen()).equals(withoutOwners(live));
    }

    private static JsonNode withoutOwners(JsonNode job) {
        return new Draft(job).remove(Draft.at("metadata", "managedFields")).object();
    }

    /** Whatever would stand in the way of the replacement, asked before anything is touched. */
    private Optional<Outcome> obstacle(Order order, Identity identity, Deadline latest) {
        return missingRight(order, identity, List.of("delete", "create"), latest)
                .or(() -> obstacleByTrial(order, identity, latest));
    }

    /** What is deleted for real afterwards tells by itself whether it may be; asked for only where nothing will be. */
    private Optional<Outcome> obstacleByTrial(Order order, Identity identity, Deadline latest) {
        try {
            var creation = api.createJob(order, identity, true, latest.remaining());
            // the name is taken: by then every policy and quota has agreed
            var isAgreed = creation.isSuccess() || creation.alreadyExists();
            if (isAgreed && !order.dryRun()) {
                return Optional.empty();
            }
            if (!isAgreed && (identity instanceof OwnAccount || !creation.isWithoutRight("create"))) {
                return Optional.of(refusal(creation, identity));
            }
            var deletion = api.tryToDeleteJob(order.job(), order.uid(), identity, latest.remaining());
            var missing = Stream.of(
                            deletion.isWithoutRight("delete") ? "delete" : "",
                            creation.isWithoutRight("create") ? "create" : "")
                    .filter(verb -> !verb.isEmpty())
                    .toList();
            if (!missing.isEmpty() && !(identity instanceof OwnAccount)) {
                return Optional.of(new RightsMissing(missing));
            }
            return deletion.isSuccess() || deletion.status() == 404
                    ? Optional.empty()
                    : Optional.of(refusal(deletion, identity));
        } catch (IOException e) {
            return Optional.of(unreachable(e));
        }
    }

    /** Whoever acts in the name of the requester has the requester's rights and need not ask. */
    private Optional<Outcome> missingRight(Order order, Identity identity, List<String> verbs, Deadline latest) {
        return identity instanceof OwnAccount ? missingRight(order, verbs, latest) : Optional.empty();
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
    private Optional<Outcome> delete(ReplaceJob replacement, Identity identity, Deadline latest, Deadline deadline) {
        var order = replacement.order();
        try {
            var answer = api.deleteJob(
                    order.job(), order.uid(), identity, latest.remaining().plus(CREATION.dividedBy(2)));
            if (answer.isSuccess()) {
                return Optional.empty();
            }
            if (answer.status() == 404) {
                awaitOthersCreation(order, deadline);
                return Optional.of(new Superseded());
            }
            // a conflict: the uid is another one's, or a policy answers so; whose Job it is tells which
            if (answer.status() == 409 || answer.isUnclear()) {
                return whatBecameOf(replacement, answer, deadline);
            }
            return Optional.of(refusal(answer, identity));
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
        return metadata.path("uid").asText().equals(replacement.order().uid())
                && !metadata.hasNonNull("deletionTimestamp");
    }

    /** So that the API server finds a Job when it reads it again, and the client gets an ordinary answer. */
    private void awaitOthersCreation(Order order, Deadline deadline) {
        var end = Deadline.in(settle.plus(OTHERS_CREATION));
        while (end.leaves(STEP) && deadline.leaves(STEP)) {
            try {
                if (api.getJob(order.job(), deadline.remaining()).isSuccess()) {
                    return;
                }
            } catch (IOException e) {
                LOG.debug("waiting for another replica's Job", e);
            }
            sleep(STEP);
        }
    }

    /** The name makes this safe to repeat: there is never a second Job. */
    private Outcome create(Order order, Identity identity, Deadline deadline) {
        var why = "no time was left";
        for (int attempt = 1; deadline.leaves(STEP); attempt++) {
            try {
                var answer = api.createJob(
                        order, identity, false, deadline.remaining().dividedBy(2));
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

    private static Outcome refusal(ApiAnswer answer, Identity identity) {
        for (var verb : List.of("create", "delete")) {
            if (answer.isWithoutRight(verb)) {
                return identity instanceof OwnAccount
                        ? new NotNow("gitops-interlock's account may not " + verb + " Jobs here")
                        : new RightsMissing(List.of(verb));
            }
        }
        if (answer.isWithoutImpersonation()) {
            return new NotNow("Kubernetes does not let gitops-interlock's account act as the requester here");
        }
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
