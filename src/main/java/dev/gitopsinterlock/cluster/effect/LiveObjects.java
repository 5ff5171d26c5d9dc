package dev.gitopsinterlock.cluster.effect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.edit.Reinvocation;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.Superseded;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import dev.gitopsinterlock.effect.ReviewedObject;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/** What the cluster has under the name of an object that is replaced: read, compared with the review, and waited for. Blocks. */
final class LiveObjects {

    private static final Logger LOG = Logger.getLogger(LiveObjects.class);

    /** How long another replica may take to create the object that it deleted. */
    private static final Duration OTHERS_CREATION = Duration.ofSeconds(1);

    /** How long the API server may take to answer the client of another edit of which nothing is left to be done. */
    private static final Duration OTHERS_ANSWER = Duration.ofSeconds(3);

    /** What the steps before the deletion may take. */
    private static final Duration STEPS = Duration.ofMillis(1500);

    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    static final Duration STEP = Duration.ofMillis(50);

    private final KubernetesApi api;
    private final ProcessClock clock;
    private final Duration recreateDelay;

    /** Since when, of System.nanoTime, objects are known whose client was not answered, by their uids. */
    private final Map<String, Long> unanswered = new ConcurrentHashMap<>();

    LiveObjects(KubernetesApi api, ProcessClock clock, Duration recreateDelay) {
        this.api = api;
        this.clock = clock;
        this.recreateDelay = recreateDelay;
    }

    /** What the cluster has under the object's name. */
    sealed interface Look {

        /** The review's object, in whatever version it is now. */
        record Seen(JsonNode live) implements Look {}

        /** Another one, or nobody knows; nothing is to be done. */
        record Not(Outcome outcome) implements Look {}
    }

    /**
     * Whether the live object is another one than the review's, or has changed since. Then the API server, too, finds that
     * out when it stores its answer, reads again and asks again; whoever made the review up gets nothing.
     */
    Look look(ObjectOperation operation, Deadline latest) {
        try {
            var answer = api.get(operation.path(), latest.remaining());
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
            return new Look.Not(Failures.unreachable(e));
        }
    }

    /**
     * Where the live object has just taken another one's place, the client of that edit is waiting still: the API server
     * is about to read it and to ask about it once more. It is left alone until then; were it gone by then, a
     * server-side apply would create it once more. A client that gave up costs the next edit that time, and no other.
     */
    void awaitOthersAnswer(ObjectOperation operation, Deadline latest) {
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

    /** So that the API server finds an object when it reads again, and the client gets an ordinary answer. */
    void awaitOthersCreation(ObjectOperation operation, Deadline deadline) {
        var end = Deadline.in(clock, recreateDelay.plus(OTHERS_CREATION)).orEarlier(deadline);
        awaitLive(operation, end, deadline, ApiAnswer::isSuccess);
    }

    /** Looks at whatever has the object's name, until it is as awaited or the time is over. */
    private void awaitLive(ObjectOperation operation, Deadline end, Deadline patience, Predicate<ApiAnswer> isAwaited) {
        while (end.leaves(STEP)) {
            try {
                if (isAwaited.test(api.get(operation.path(), patience.remaining()))) {
                    return;
                }
            } catch (IOException e) {
                LOG.debug("waiting for another client's", e);
            }
            clock.pause(STEP);
        }
    }

    static String version(JsonNode job) {
        return ObjectMeta.resourceVersion(job);
    }

    static boolean isStillThere(ObjectOperation operation, JsonNode live) {
        return isOfSameUid(operation, live) && !ObjectMeta.isTerminating(live);
    }

    /** A Job goes at once; what leaves its Pods behind goes in two steps. */
    static boolean isOrphaning(ObjectOperation operation, JsonNode live) {
        return leavesPods(operation) && isOfSameUid(operation, live) && !isStillThere(operation, live);
    }

    static boolean isOfSameUid(ObjectOperation operation, JsonNode live) {
        return ObjectMeta.uid(live).equals(operation.uid());
    }

    /** A Job's Pods have done its work; everybody else's do it still. */
    static boolean leavesPods(ObjectOperation operation) {
        return !operation.type().equals(ResourceType.JOB);
    }
}
