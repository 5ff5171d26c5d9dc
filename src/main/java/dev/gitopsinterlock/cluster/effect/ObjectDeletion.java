package dev.gitopsinterlock.cluster.effect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.LateWrites;
import dev.gitopsinterlock.effect.Outcome.Refused;
import dev.gitopsinterlock.effect.Outcome.Superseded;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Deletes the object whose place another one takes, and waits until its name is free. Blocks. */
final class ObjectDeletion {

    private static final Logger LOG = Logger.getLogger(ObjectDeletion.class);

    /** Longer than the API server lets a watch of ours last. */
    private static final Duration WATCH = Duration.ofSeconds(2);

    private final KubernetesApi api;
    private final LiveObjects objects;
    private final ProcessClock clock;

    ObjectDeletion(KubernetesApi api, LiveObjects objects, ProcessClock clock) {
        this.api = api;
        this.objects = objects;
        this.clock = clock;
    }

    /**
     * Deletes the object in the version that was looked at. Where only its status has moved since, the next version is.
     *
     * @return nothing if the old one is deleted by our hand
     */
    Optional<End> delete(
            ObjectOperation operation, Identity identity, JsonNode looked, Deadline latest, Deadline deadline) {
        for (var live = looked; latest.leaves(Duration.ZERO); ) {
            var patience = latest.remaining().plus(Recreation.RESERVE.dividedBy(2));
            ApiAnswer answer;
            try {
                // so that nothing that somebody wrote since is deleted with it
                var options = options(operation);
                options.withObject("/preconditions").put("resourceVersion", LiveObjects.version(live));
                answer = api.delete(operation.path(), options, identity, patience);
            } catch (IOException e) {
                LOG.debug("deletion without an answer", e);
                return endOfDeletion(operation, deadline);
            }
            if (answer.isSuccess()) {
                return Optional.empty();
            }
            if (answer.isUnclear()) {
                return endOfDeletion(operation, deadline);
            }
            if (answer.status() == 404) {
                objects.awaitOthersCreation(operation, deadline);
                return Optional.of(End.of(new Superseded()));
            }
            if (answer.status() != 409) {
                return Optional.of(End.of(Failures.refusal(operation, answer, identity)));
            }
            // it is another one or has another version now, or a policy answers like that: looking tells which
            switch (objects.look(operation, latest)) {
                case LiveObjects.Look.Not(var outcome) -> {
                    return Optional.of(End.of(outcome));
                }
                case LiveObjects.Look.Seen(var now) -> {
                    if (LiveObjects.version(now).equals(LiveObjects.version(live))) {
                        return Optional.of(End.of(new Refused(answer.words())));
                    }
                    live = now;
                }
            }
        }
        return Optional.of(End.of(new Unavailable("too little of the request's time was left")));
    }

    /** For the object that the operation is about, whatever its version. */
    static ObjectNode options(ObjectOperation operation) {
        var options = JsonNodeFactory.instance
                .objectNode()
                .put("propagationPolicy", LiveObjects.leavesPods(operation) ? "Orphan" : "Background");
        options.putObject("preconditions").put("uid", operation.uid());
        return options;
    }

    /** After a deletion that may have happened or not. Asked until there is an answer. */
    private Optional<End> endOfDeletion(ObjectOperation operation, Deadline deadline) {
        while (deadline.leaves(LiveObjects.STEP)) {
            try {
                var answer = api.get(operation.path(), deadline.remaining().dividedBy(2));
                if (answer.status() == 404) {
                    return Optional.empty();
                }
                if (answer.isSuccess() && LiveObjects.isOrphaning(operation, answer.body())) {
                    return Optional.empty();
                }
                if (answer.isSuccess()) {
                    return Optional.of(
                            LiveObjects.isStillThere(operation, answer.body())
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
            clock.pause(LiveObjects.STEP);
        }
        return Optional.of(End.notYet("the API server does not answer; the old %s may still be there"
                .formatted(operation.type().kind())));
    }

    /** What became of the object's name after the deletion. */
    sealed interface Name {

        /**
         * Nobody has it.
         *
         * @param ordered what is to have it now
         */
        record Free(ObjectOperation ordered) implements Name {}

        /** The name is not free. */
        record Taken(End why) implements Name {}
    }

    /** By watches, which see each write to it; where there are none, by looking again and again. */
    Name awaitRelease(ObjectOperation operation, JsonNode live, Deadline end) {
        var last = live;
        while (end.leaves(LiveObjects.STEP)) {
            var gone = awaitGone(operation, last, end);
            if (gone.isPresent()) {
                return new Name.Free(withLateWrites(operation, gone.get()));
            }
            try {
                var now = api.get(operation.path(), end.remaining());
                if (now.status() == 404) {
                    var seen = awaitGone(operation, last, end).orElse(last);
                    return new Name.Free(withLateWrites(operation, seen));
                }
                if (now.isSuccess() && !LiveObjects.isOfSameUid(operation, now.body())) {
                    return new Name.Taken(End.of(new Superseded()));
                }
                last = now.isSuccess() ? now.body() : last;
            } catch (IOException e) {
                LOG.debug("waiting for the old one to go", e);
            }
            clock.pause(LiveObjects.STEP);
        }
        return new Name.Taken(
                End.notYet("Kubernetes has not let go of its Pods yet; the new one is created as soon as it has"));
    }

    /** The object as it was when it went, with all that was written to it until then; empty after a second of waiting. */
    private Optional<JsonNode> awaitGone(ObjectOperation operation, JsonNode last, Deadline end) {
        var object = operation.object();
        // a proxy that collects an answer before it hands it on has all of it after that second
        var query = "?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%%3D%s&resourceVersion=%s"
                .formatted(object.name(), LiveObjects.version(last));
        try {
            return api.watch(
                            operation.type().path(object.namespace()) + query,
                            event -> event.path("type").asText().equals("DELETED")
                                    && LiveObjects.isOfSameUid(operation, event.path("object")),
                            Deadline.in(clock, WATCH).orEarlier(end).remaining())
                    .map(event -> event.path("object"));
        } catch (IOException e) {
            LOG.debug("no watch of the old one", e);
            return Optional.empty();
        }
    }

    private static ObjectOperation withLateWrites(ObjectOperation operation, JsonNode last) {
        return operation.of(LateWrites.into(operation.newObject(), operation.seen(), last));
    }
}
