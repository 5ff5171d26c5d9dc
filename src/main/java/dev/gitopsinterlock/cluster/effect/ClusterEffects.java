package dev.gitopsinterlock.cluster.effect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.Identity.Impossible;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.cluster.effect.ReplacementIdentity.Mode;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.edit.Reinvocation;
import dev.gitopsinterlock.effect.Effect;
import dev.gitopsinterlock.effect.Effect.CreateSibling;
import dev.gitopsinterlock.effect.Effect.Replace;
import dev.gitopsinterlock.effect.Effect.ReplaceJob;
import dev.gitopsinterlock.effect.Effect.ReplaceStatefulSet;
import dev.gitopsinterlock.effect.Effect.TryReplacement;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.Done;
import dev.gitopsinterlock.effect.Outcome.NotImpersonated;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import dev.gitopsinterlock.tracing.CurrentSpan;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Carries effects out, in the name of {@link ReplacementIdentity}. What a review says of the live object is not believed: it
 * has to be the one that the cluster has, to the letter, or nothing is done. Every step before a deletion leaves everything
 * as it was if it fails; nothing is deleted unless there is time for the creation. Blocks, for as long as the deadline
 * allows; any thread may call.
 */
@Singleton
public final class ClusterEffects {

    /** The Job controller is done with a Job that finished longer ago. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    /** Kept back for the garbage collector, which takes the Pods from the StatefulSet that goes. */
    private static final Duration ORPHANING = Duration.ofSeconds(2);

    /** Nobody else goes on with a replacement that was begun more recently. */
    private static final Duration ALONE = Duration.ofSeconds(4);

    private final KubernetesApi api;
    private final ObjectCreation creation;
    private final ObjectEvents events;
    private final ReplacementIdentity identities;
    private final Intents intents;
    private final ProcessClock clock;
    private final Duration recreateDelay;
    private final Semaphore places;
    private final LiveObjects objects;
    private final Obstacles obstacles;
    private final ObjectDeletion deletion;
    private final Recreation recreation;

    ClusterEffects(
            KubernetesApi api,
            ObjectEvents events,
            ObjectCreation creation,
            ReplacementIdentity identities,
            Intents intents,
            ProcessClock clock,
            Settings settings) {
        this.api = api;
        this.creation = creation;
        this.clock = clock;
        this.intents = intents;
        this.identities = identities;
        this.events = events;
        this.recreateDelay = settings.effects().recreateDelay();
        this.places = new Semaphore(settings.effects().concurrent(), true);
        this.objects = new LiveObjects(api, clock, recreateDelay);
        this.obstacles = new Obstacles(api, creation);
        this.deletion = new ObjectDeletion(api, objects, clock);
        this.recreation = new Recreation(api, creation, intents, clock);
    }

    /**
     * Never throws for what happens in the cluster; the outcome says whether anything was changed.
     *
     * @param caller proven to be the API server, which alone is obeyed
     */
    public Outcome run(ApiServer caller, Effect effect, Deadline deadline) {
        Objects.requireNonNull(caller, "caller is null");
        if (identities.mode() instanceof Mode.Not(var why)) {
            return new Unavailable("replacement is off, " + why);
        }
        return switch (identities.of(effect.operation().requester())) {
            case Impossible(var why) -> new NotImpersonated(why);
            case Identity identity -> inTurn(effect, identity, deadline);
        };
    }

    /** Not too many at a time. */
    private Outcome inTurn(Effect effect, Identity identity, Deadline deadline) {
        var latest = deadline.earlierBy(reserve(effect));
        if (effect instanceof Replace
                && !effect.operation().dryRun()
                && Reinvocation.isAwaited(effect.operation().seen())) {
            objects.awaitOthersAnswer(effect.operation(), latest);
        }
        try {
            if (!latest.leaves(Duration.ZERO)
                    || !places.tryAcquire(latest.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
                return new Unavailable("too little of the request's time was left");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Unavailable("gitops-interlock is stopping");
        }
        try {
            return switch (effect) {
                case Replace replacement -> replace(replacement, identity, latest, deadline);
                case TryReplacement(var replacement, var _) -> replace(replacement, identity, latest, deadline);
                case CreateSibling run -> start(run, identity, deadline);
            };
        } finally {
            places.release();
        }
    }

    private Duration reserve(Effect effect) {
        if (effect.operation().dryRun()) {
            return Duration.ZERO;
        }
        return switch (effect) {
            case ReplaceJob replacement -> pause(replacement).plus(Recreation.RESERVE);
            case ReplaceStatefulSet _ -> ORPHANING.plus(Recreation.RESERVE);
            case CreateSibling _, TryReplacement _ -> Duration.ZERO;
        };
    }

    /** The Job controller must see the deletion first, or it never starts the new Job (kubernetes#142142). */
    private Duration pause(ReplaceJob replacement) {
        var quietSince = api.now().minus(QUIET);
        return replacement.finishedAt().filter(quietSince::isAfter).isPresent() ? Duration.ZERO : recreateDelay;
    }

    private Outcome replace(Replace replacement, Identity identity, Deadline latest, Deadline deadline) {
        var operation = replacement.operation();
        return switch (CurrentSpan.step("look", () -> objects.look(operation, latest))) {
            case LiveObjects.Look.Not(var outcome) -> outcome;
            case LiveObjects.Look.Seen(var live) -> {
                var obstacle = obstacles.obstacleTo(operation, identity, latest);
                if (obstacle.isPresent() || operation.dryRun()) {
                    yield obstacle.orElseGet(Done::new);
                }
                var name = Intents.newName();
                try {
                    yield replace(replacement, identity, live, name, latest, deadline);
                } finally {
                    intents.release(name);
                }
            }
        };
    }

    /** Replaces an object. The intent is stored first, because from here on the object may go. */
    private Outcome replace(
            Replace replacement, Identity identity, JsonNode live, String intent, Deadline latest, Deadline deadline) {
        var failure = CurrentSpan.step("intent", () -> intents.keep(intent, replacement.operation(), latest));
        if (failure.isPresent()) {
            // it may be there all the same
            intents.drop(intent);
            return failure.get();
        }
        var alone = Deadline.in(clock, recreateDelay.plus(ALONE));
        var operation = replacement.operation();
        var end = CurrentSpan.step("delete", () -> deletion.delete(operation, identity, live, latest, deadline))
                .orElseGet(() -> switch (CurrentSpan.step("settle", () -> awaitFreeName(replacement, live, deadline))) {
                    case ObjectDeletion.Name.Free(var ordered) ->
                        CurrentSpan.step(
                                "create",
                                () -> recreation.createWithLateWrites(
                                        operation, ordered, identity, intent, alone, deadline));
                    case ObjectDeletion.Name.Taken(var why) -> why;
                });
        if (end.isFinal()) {
            intents.drop(intent);
        }
        return end.outcome();
    }

    /** After the deletion. */
    private ObjectDeletion.Name awaitFreeName(Replace replacement, JsonNode live, Deadline deadline) {
        return switch (replacement) {
            case ReplaceJob job -> {
                clock.pause(pause(job));
                yield new ObjectDeletion.Name.Free(job.operation());
            }
            case ReplaceStatefulSet(var operation) ->
                deletion.awaitRelease(operation, live, deadline.earlierBy(Recreation.RESERVE));
        };
    }

    private Outcome start(CreateSibling run, Identity identity, Deadline deadline) {
        var operation = run.operation();
        if (objects.look(operation, deadline) instanceof LiveObjects.Look.Not(var outcome)) {
            return outcome;
        }
        var obstacle = obstacles.missingRight(operation, identity, List.of("create"), deadline);
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        try {
            var answer = CurrentSpan.step(
                    "create", () -> creation.send(operation, identity, operation.dryRun(), deadline.remaining()));
            if (answer.isSuccess() && !operation.dryRun()) {
                events.started(operation, answer.body());
            }
            return answer.isSuccess() || answer.alreadyExists()
                    ? new Done()
                    : Failures.refusal(operation, answer, identity);
        } catch (IOException e) {
            return Failures.unreachable(e);
        }
    }
}
