package dev.gitopsinterlock.cluster.carryout;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.carryout.Effect;
import dev.gitopsinterlock.carryout.Effect.CreateSibling;
import dev.gitopsinterlock.carryout.Effect.ObjectOperation;
import dev.gitopsinterlock.carryout.Effect.Replace;
import dev.gitopsinterlock.carryout.Effect.ReplaceJob;
import dev.gitopsinterlock.carryout.Effect.ReplaceStatefulSet;
import dev.gitopsinterlock.carryout.Effect.TryReplacement;
import dev.gitopsinterlock.carryout.LateWrites;
import dev.gitopsinterlock.carryout.OurMetadata;
import dev.gitopsinterlock.carryout.Outcome;
import dev.gitopsinterlock.carryout.Outcome.Done;
import dev.gitopsinterlock.carryout.Outcome.NotImpersonated;
import dev.gitopsinterlock.carryout.Outcome.RecreateFailed;
import dev.gitopsinterlock.carryout.Outcome.Refused;
import dev.gitopsinterlock.carryout.Outcome.RightsMissing;
import dev.gitopsinterlock.carryout.Outcome.Superseded;
import dev.gitopsinterlock.carryout.Outcome.Unavailable;
import dev.gitopsinterlock.carryout.ReviewedObject;
import dev.gitopsinterlock.cluster.api.AccessReviews;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.Identity.Impossible;
import dev.gitopsinterlock.cluster.api.Identity.OwnAccount;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.KubernetesApi.Dependents;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.cluster.carryout.CarryOutIdentity.Mode;
import dev.gitopsinterlock.cluster.carryout.Intents.Found.Gone;
import dev.gitopsinterlock.cluster.carryout.Intents.Found.Order;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.edit.Reinvocation;
import dev.gitopsinterlock.tracing.CurrentSpan;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Carries effects out, in the name of {@link CarryOutIdentity}. What a review says of the live object is not believed: it
 * has to be the one that the cluster has, to the letter, or nothing is done. Every step before a deletion leaves everything
 * as it was if it fails; nothing is deleted unless there is time for the creation. Blocks, for as long as the deadline
 * allows; any thread may call.
 */
@Singleton
public final class ClusterEffects {

    private static final Logger LOG = Logger.getLogger(ClusterEffects.class);

    /** Kept back for creating the new object once the old one is deleted. */
    private static final Duration CREATION = Duration.ofSeconds(2);

    /** The Job controller is done with a Job that finished longer ago. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    /** Kept back for the garbage collector, which takes the Pods from the StatefulSet that goes. */
    private static final Duration ORPHANING = Duration.ofSeconds(2);

    /** Longer than the API server lets a watch of ours last. */
    private static final Duration WATCH = Duration.ofSeconds(2);

    /** How long another replica may take to create the object that it deleted. */
    private static final Duration OTHERS_CREATION = Duration.ofSeconds(1);

    /** How long the API server may take to answer the client of another edit of which nothing is left to be done. */
    private static final Duration OTHERS_ANSWER = Duration.ofSeconds(3);

    /** What the steps before the deletion may take. */
    private static final Duration STEPS = Duration.ofMillis(1500);

    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    private static final Duration STEP = Duration.ofMillis(50);

    /** Nobody else goes on with a replacement that was begun more recently. */
    private static final Duration ALONE = Duration.ofSeconds(4);

    /** Says of a new object whose place it took. */
    private static final JsonPointer REPLACED = OurMetadata.annotation(OurMetadata.REPLACED);

    private final KubernetesApi api;
    private final ObjectEvents events;
    private final ObjectCreation creation;
    private final CarryOutIdentity identities;
    private final Intents intents;
    private final ProcessClock clock;
    private final Duration settle;
    private final Semaphore places;

    /** Since when, of System.nanoTime, objects are known whose client was not answered, by their uids. */
    private final Map<String, Long> unanswered = new ConcurrentHashMap<>();

    ClusterEffects(
            KubernetesApi api,
            ObjectEvents events,
            ObjectCreation creation,
            CarryOutIdentity identities,
            Intents intents,
            ProcessClock clock,
            Settings settings) {
        this.api = api;
        this.clock = clock;
        this.intents = intents;
        this.identities = identities;
        this.events = events;
        this.creation = creation;
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
            return new Unavailable("carrying out is off, " + why);
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
            awaitOthersAnswer(effect.operation(), latest);
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
            case ReplaceJob replacement -> pause(replacement).plus(CREATION);
            case ReplaceStatefulSet _ -> ORPHANING.plus(CREATION);
            case CreateSibling _, TryReplacement _ -> Duration.ZERO;
        };
    }

    /** The Job controller must see the deletion first, or it never starts the new Job (kubernetes#142142). */
    private Duration pause(ReplaceJob replacement) {
        var quietSince = api.now().minus(QUIET);
        return replacement.finishedAt().filter(quietSince::isAfter).isPresent() ? Duration.ZERO : settle;
    }

    private Outcome replace(Replace replacement, Identity identity, Deadline latest, Deadline deadline) {
        var operation = replacement.operation();
        return switch (CurrentSpan.step("look", () -> look(operation, latest))) {
            case Look.Not(var outcome) -> outcome;
            case Look.Seen(var live) -> {
                var obstacle = obstacle(operation, identity, latest);
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

    /** From here on the object may go, so what is to come is in the cluster first. */
    private Outcome replace(
            Replace replacement, Identity identity, JsonNode live, String intent, Deadline latest, Deadline deadline) {
        var failure = CurrentSpan.step("intent", () -> intents.keep(intent, replacement.operation(), latest));
        if (failure.isPresent()) {
            // it may be there all the same
            intents.drop(intent);
            return failure.get();
        }
        var alone = Deadline.in(clock, settle.plus(ALONE));
        var operation = replacement.operation();
        var end = CurrentSpan.step("delete", () -> delete(operation, identity, live, latest, deadline))
                .orElseGet(() -> switch (CurrentSpan.step("settle", () -> untilItIsGone(replacement, live, deadline))) {
                    case Name.Free(var ordered) ->
                        CurrentSpan.step(
                                "create",
                                () -> createWithLateWrites(operation, ordered, identity, intent, alone, deadline));
                    case Name.Taken(var why) -> why;
                });
        if (end.isFinal()) {
            intents.drop(intent);
        }
        return end.outcome();
    }

    /** What became of the object's name after the deletion. */
    private sealed interface Name {

        /**
         * Nobody has it.
         *
         * @param ordered what is to have it now
         */
        record Free(ObjectOperation ordered) implements Name {}

        /** It is not free. */
        record Taken(End why) implements Name {}
    }

    /** After the deletion. */
    private Name untilItIsGone(Replace replacement, JsonNode live, Deadline deadline) {
        return switch (replacement) {
            case ReplaceJob job -> {
                clock.pause(pause(job));
                yield new Name.Free(job.operation());
            }
            case ReplaceStatefulSet(var operation) -> untilItIsLetGo(operation, live, deadline.earlierBy(CREATION));
        };
    }

    /** By watches, which see each write to it; where there are none, by looking again and again. */
    private Name untilItIsLetGo(ObjectOperation operation, JsonNode live, Deadline end) {
        var last = live;
        while (end.leaves(STEP)) {
            var gone = awaitGone(operation, last, end);
            if (gone.isPresent()) {
                return new Name.Free(withLateWrites(operation, gone.get()));
            }
            try {
                var now = api.get(operation, end.remaining());
                if (now.status() == 404) {
                    var seen = awaitGone(operation, last, end).orElse(last);
                    return new Name.Free(withLateWrites(operation, seen));
                }
                if (now.isSuccess() && !isOfSameUid(operation, now.body())) {
                    return new Name.Taken(End.of(new Superseded()));
                }
                last = now.isSuccess() ? now.body() : last;
            } catch (IOException e) {
                LOG.debug("waiting for the old one to go", e);
            }
            clock.pause(STEP);
        }
        return new Name.Taken(
                End.notYet("Kubernetes has not let go of its Pods yet; the new one is created as soon as it has"));
    }

    private Optional<JsonNode> awaitGone(ObjectOperation operation, JsonNode last, Deadline end) {
        try {
            return api.awaitGone(
                    operation,
                    version(last),
                    Deadline.in(clock, WATCH).orEarlier(end).remaining());
        } catch (IOException e) {
            LOG.debug("no watch of the old one", e);
            return Optional.empty();
        }
    }

    private static ObjectOperation withLateWrites(ObjectOperation operation, JsonNode last) {
        return operation.of(LateWrites.into(operation.newObject(), operation.seen(), last));
    }

    /**
     * How the part after the first deletion ended.
     *
     * @param isFinal nobody is to go on with it
     */
    private record End(Outcome outcome, boolean isFinal) {

        static End of(Outcome outcome) {
            return new End(outcome, true);
        }

        /** The object is, or may be, gone, and somebody has to look again. */
        static End notYet(String why) {
            return new End(new RecreateFailed(why), false);
        }
    }

    private Outcome start(CreateSibling run, Identity identity, Deadline deadline) {
        var operation = run.operation();
        if (look(operation, deadline) instanceof Look.Not(var outcome)) {
            return outcome;
        }
        var obstacle = missingRight(operation, identity, List.of("create"), deadline);
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        try {
            var answer = CurrentSpan.step(
                    "create", () -> api.create(operation, identity, operation.dryRun(), deadline.remaining()));
            if (answer.isSuccess() && !operation.dryRun()) {
                events.started(operation, answer.body());
            }
            return answer.isSuccess() || answer.alreadyExists() ? new Done() : refusal(operation, answer, identity);
        } catch (IOException e) {
            return unreachable(e);
        }
    }

    /** What the cluster has under the object's name. */
    private sealed interface Look {

        /** The review's object, in whatever version it is now. */
        record Seen(JsonNode live) implements Look {}

        /** Another one, or nobody knows; nothing is to be done. */
        record Not(Outcome outcome) implements Look {}
    }

    /**
     * Where the live object has just taken another one's place, the client of that edit is waiting still: the API server
     * is about to read it and to ask about it once more. It is left alone until then; were it gone by then, a
     * server-side apply would create it once more. A client that gave up costs the next edit that time, and no other.
     */
    private void awaitOthersAnswer(ObjectOperation operation, Deadline latest) {
        var since = unanswered.computeIfAbsent(operation.uid(), uid -> clock.nanoTime());
        var end = Deadline.since(clock, since, OTHERS_ANSWER).orEarlier(latest.earlierBy(STEPS.minus(STEP)));
        awaitLive(
                operation,
                end,
                latest,
                answer -> !answer.isSuccess()
                        || !isStillThere(operation, answer.body())
                        || !Reinvocation.isAwaited(answer.body()));
        var now = clock.nanoTime();
        unanswered.values().removeIf(begin -> now - begin > REMEMBERED.toNanos());
    }

    /**
     * Whether the live object is another one than the review's, or has changed since. Then the API server, too, finds that
     * out when it stores its answer, reads again and asks again; whoever made the review up gets nothing.
     */
    private Look look(ObjectOperation operation, Deadline latest) {
        try {
            var answer = api.get(operation, latest.remaining());
            if (answer.status() == 404) {
                awaitOthersCreation(operation, latest);
                return new Look.Not(new Superseded());
            }
            if (!answer.isSuccess()) {
                return new Look.Not(new Unavailable("the live %s could not be read, HTTP status %d"
                        .formatted(operation.type().kind(), answer.status())));
            }
            if (ReviewedObject.isStill(operation.seen(), answer.body())) {
                return new Look.Seen(answer.body());
            }
            // in one version there cannot be two: then the API server would store an answer that puts the old spec back
            return new Look.Not(
                    isStillThere(operation, answer.body())
                                    && version(operation.seen()).equals(version(answer.body()))
                            ? new Unavailable("the live %s is not as the request has it"
                                    .formatted(operation.type().kind()))
                            : new Superseded());
        } catch (IOException e) {
            return new Look.Not(unreachable(e));
        }
    }

    /** Whatever would stand in the way of the replacement, asked before anything is touched. */
    private Optional<Outcome> obstacle(ObjectOperation operation, Identity identity, Deadline latest) {
        return missingRight(operation, identity, List.of("delete", "create"), latest)
                .or(() -> CurrentSpan.step("trial", () -> obstacleByTrial(operation, identity, latest)));
    }

    /** What is deleted for real afterwards tells by itself whether it may be; asked for only where nothing will be. */
    private Optional<Outcome> obstacleByTrial(ObjectOperation operation, Identity identity, Deadline latest) {
        try {
            var creation = api.create(operation, identity, true, latest.remaining());
            // the name is taken: by then every policy and quota has agreed
            var isAgreed = creation.isSuccess() || creation.alreadyExists();
            if (isAgreed && !operation.dryRun()) {
                return Optional.empty();
            }
            if (!isAgreed && (identity instanceof OwnAccount || !creation.isWithoutRight("create", operation.type()))) {
                return Optional.of(refusal(operation, creation, identity));
            }
            var deletion = api.tryToDelete(operation, dependents(operation), identity, latest.remaining());
            var missing = Stream.of(
                            deletion.isWithoutRight("delete", operation.type()) ? "delete" : "",
                            creation.isWithoutRight("create", operation.type()) ? "create" : "")
                    .filter(verb -> !verb.isEmpty())
                    .toList();
            if (!missing.isEmpty() && !(identity instanceof OwnAccount)) {
                return Optional.of(new RightsMissing(missing));
            }
            return deletion.isSuccess() || deletion.status() == 404
                    ? Optional.empty()
                    : Optional.of(refusal(operation, deletion, identity));
        } catch (IOException e) {
            return Optional.of(unreachable(e));
        }
    }

    /** Whoever acts in the name of the requester has the requester's rights and need not ask. */
    private Optional<Outcome> missingRight(
            ObjectOperation operation, Identity identity, List<String> verbs, Deadline latest) {
        return identity instanceof OwnAccount
                ? CurrentSpan.step("rights", () -> missingRight(operation, verbs, latest))
                : Optional.empty();
    }

    private Optional<Outcome> missingRight(ObjectOperation operation, List<String> verbs, Deadline latest) {
        try {
            var missing = new ArrayList<String>();
            for (var verb : verbs) {
                var answer = api.reviewAccess(AccessReviews.of(operation, verb), latest.remaining());
                if (!answer.isSuccess()) {
                    return Optional.of(
                            new Unavailable("rights could not be asked for, HTTP status " + answer.status()));
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

    /**
     * In the version that was looked at. Where only its status has moved since, the next version is.
     *
     * @return nothing if the old one is deleted by our hand
     */
    private Optional<End> delete(
            ObjectOperation operation, Identity identity, JsonNode looked, Deadline latest, Deadline deadline) {
        for (var live = looked; latest.leaves(Duration.ZERO); ) {
            var patience = latest.remaining().plus(CREATION.dividedBy(2));
            ApiAnswer answer;
            try {
                answer = api.delete(operation, dependents(operation), version(live), identity, patience);
            } catch (IOException e) {
                LOG.debug("deletion without an answer", e);
                return whatBecameOf(operation, deadline);
            }
            if (answer.isSuccess()) {
                return Optional.empty();
            }
            if (answer.isUnclear()) {
                return whatBecameOf(operation, deadline);
            }
            if (answer.status() == 404) {
                awaitOthersCreation(operation, deadline);
                return Optional.of(End.of(new Superseded()));
            }
            if (answer.status() != 409) {
                return Optional.of(End.of(refusal(operation, answer, identity)));
            }
            // it is another one or has another version now, or a policy answers like that: looking tells which
            switch (look(operation, latest)) {
                case Look.Not(var outcome) -> {
                    return Optional.of(End.of(outcome));
                }
                case Look.Seen(var now) -> {
                    if (version(now).equals(version(live))) {
                        return Optional.of(End.of(new Refused(answer.words())));
                    }
                    live = now;
                }
            }
        }
        return Optional.of(End.of(new Unavailable("too little of the request's time was left")));
    }

    private static String version(JsonNode job) {
        return job.path("metadata").path("resourceVersion").asText();
    }

    /** After a deletion that may have happened or not. Asked until there is an answer. */
    private Optional<End> whatBecameOf(ObjectOperation operation, Deadline deadline) {
        while (deadline.leaves(STEP)) {
            try {
                var answer = api.get(operation, deadline.remaining().dividedBy(2));
                if (answer.status() == 404) {
                    return Optional.empty();
                }
                if (answer.isSuccess() && isOrphaning(operation, answer.body())) {
                    return Optional.empty();
                }
                if (answer.isSuccess()) {
                    return Optional.of(
                            isStillThere(operation, answer.body())
                                    // the deletion may be on its way; then the new one has to come after all
                                    ? new End(
                                            new Unavailable("the API server did not delete the old "
                                                    + operation.type().kind()),
                                            false)
                                    : End.of(new Superseded()));
                }
            } catch (IOException e) {
                LOG.debug("no answer either to what became of it", e);
            }
            clock.pause(STEP);
        }
        return Optional.of(End.notYet("the API server does not answer; the old %s may still be there"
                .formatted(operation.type().kind())));
    }

    private static boolean isStillThere(ObjectOperation operation, JsonNode live) {
        return isOfSameUid(operation, live) && !live.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** A Job goes at once; what leaves its Pods behind goes in two steps. */
    private static boolean isOrphaning(ObjectOperation operation, JsonNode live) {
        return dependents(operation) == Dependents.ORPHANED
                && isOfSameUid(operation, live)
                && !isStillThere(operation, live);
    }

    private static boolean isOfSameUid(ObjectOperation operation, JsonNode live) {
        return live.path("metadata").path("uid").asText().equals(operation.uid());
    }

    /** A Job's Pods have done its work; everybody else's do it still. */
    private static Dependents dependents(ObjectOperation operation) {
        return operation.type().equals(ResourceType.JOB) ? Dependents.DELETED : Dependents.ORPHANED;
    }

    /** So that the API server finds an object when it reads again, and the client gets an ordinary answer. */
    private void awaitOthersCreation(ObjectOperation operation, Deadline deadline) {
        var end = Deadline.in(clock, settle.plus(OTHERS_CREATION)).orEarlier(deadline);
        awaitLive(operation, end, deadline, ApiAnswer::isSuccess);
    }

    /** Looks at whatever has the object's name, until it is as awaited or the time is over. */
    private void awaitLive(ObjectOperation operation, Deadline end, Deadline patience, Predicate<ApiAnswer> isAwaited) {
        while (end.leaves(STEP)) {
            try {
                if (isAwaited.test(api.get(operation, patience.remaining()))) {
                    return;
                }
            } catch (IOException e) {
                LOG.debug("waiting for another client's", e);
            }
            clock.pause(STEP);
        }
    }

    /** Where it is refused with what others wrote, it is created without that, as it was tried. */
    private End createWithLateWrites(
            ObjectOperation tried,
            ObjectOperation ordered,
            Identity identity,
            String intent,
            Deadline alone,
            Deadline deadline) {
        var end = create(ordered, identity, intent, alone, deadline);
        var isAsTried = ordered.newObject().equals(tried.newObject());
        return end.isFinal() && end.outcome() instanceof RecreateFailed && !isAsTried
                ? create(tried, identity, intent, alone, deadline)
                : end;
    }

    /**
     * The name makes this safe to repeat: there is never a second one. The deadline is the answer's and not the object's: if
     * it passes first, the intent stays, and whoever looks after intents goes on.
     */
    private End create(ObjectOperation operation, Identity identity, String intent, Deadline alone, Deadline deadline) {
        var end = deadline.leaves(STEP) ? deadline : Deadline.in(clock, CREATION);
        if (!alone.leaves(Duration.ZERO)) {
            // this process stood still, and another one may have finished this and more
            try {
                var found = intents.read(intent, CREATION);
                if (found instanceof Gone
                        || (found instanceof Order order
                                && !order.namespaceUid().equals(intents.namespaceUid(operation, CREATION)))) {
                    return End.of(new Superseded());
                }
            } catch (IOException e) {
                LOG.debug("no answer to whether it is still intended", e);
                return End.notYet("the API server does not answer");
            }
        }
        var why = "no time was left";
        for (int attempt = 1; end.leaves(STEP); attempt++) {
            try {
                var answer =
                        creation.create(operation, identity, end.remaining().dividedBy(2));
                if (attempt > 1 && answer.alreadyExists()) {
                    var before = createdBefore(operation, end);
                    before.ifPresent(job -> creation.created(operation, job, CREATION));
                    answer = before.orElse(answer);
                }
                if (answer.isSuccess()) {
                    return End.of(new Done());
                }
                if (answer.alreadyExists()) {
                    return End.of(new Superseded());
                }
                why = answer.words();
                if (answer.isRefusedForGood()) {
                    return End.of(new RecreateFailed(why));
                }
            } catch (IOException e) {
                LOG.debug("creation without an answer", e);
                // the last one has hardly any time; what was said before it tells more
                why = attempt == 1 ? "the API server does not answer" : why;
            }
            clock.pause(STEP);
        }
        return End.notYet(why);
    }

    /** The new object, if it comes from an attempt whose answer was lost. */
    private Optional<ApiAnswer> createdBefore(ObjectOperation operation, Deadline deadline) throws IOException {
        return Optional.of(api.get(operation, deadline.remaining().dividedBy(2)))
                .filter(answer -> answer.isSuccess()
                        && answer.body()
                                .at(REPLACED)
                                .asText()
                                .startsWith(operation.newObject().at(REPLACED).asText()));
    }

    private static Outcome refusal(ObjectOperation operation, ApiAnswer answer, Identity identity) {
        for (var verb : List.of("create", "delete")) {
            if (answer.isWithoutRight(verb, operation.type())) {
                return identity instanceof OwnAccount
                        ? new Unavailable("gitops-interlock's account may not %s %ss here"
                                .formatted(verb, operation.type().kind()))
                        : new RightsMissing(List.of(verb));
            }
        }
        if (answer.isWithoutImpersonation()) {
            return new Unavailable("Kubernetes does not let gitops-interlock's account act as the requester here");
        }
        return answer.isTransient()
                ? new Unavailable("the API server answered with HTTP status " + answer.status())
                : new Refused(answer.words());
    }

    private static Outcome unreachable(IOException failure) {
        LOG.debug("no answer", failure);
        return new Unavailable("the API server did not answer in time");
    }
}
