package dev.gitopsinterlock.cluster.effect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.api.Events;
import dev.gitopsinterlock.cluster.api.Events.Happening;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;

/** Events on objects that we created, and on new Jobs that something is to be said about. */
@Singleton
public final class ObjectEvents {

    private final Events events;

    ObjectEvents(Events events) {
        this.events = events;
    }

    void replaced(ObjectOperation operation, JsonNode object) {
        var note = "Took the place of an older " + operation.type().kind() + " because %s changed, sent by %s";
        send(operation, object, "Replaced", "Replace", note);
    }

    void started(ObjectOperation operation, JsonNode job) {
        send(
                operation,
                job,
                "RunStarted",
                "Create",
                "Started for an edit of Job " + operation.object().name() + " in %s, sent by %s");
    }

    /**
     * Repeats the warnings that the client of a CREATE gets, because GitOps tools do not show them to anybody. Returns at
     * once.
     *
     * @param caller proven to be the API server: nobody has seen the Job yet
     * @param job as it will be stored
     */
    public void advised(ApiServer caller, JsonNode job, List<String> warnings) {
        Objects.requireNonNull(caller, "caller is null");
        events.send(
                ObjectReference.to(ResourceType.JOB, job),
                new Happening("Warning", "LintFinding", "Create", String.join("; ", warnings)));
    }

    private void send(ObjectOperation operation, JsonNode object, String reason, String action, String note) {
        events.send(
                ObjectReference.to(operation.type(), object),
                new Happening(
                        "Normal",
                        reason,
                        action,
                        note.formatted(fields(operation), operation.tool().label())));
    }

    private static String fields(ObjectOperation operation) {
        var first = operation.fields().getFirst();
        var more = operation.fields().size() - 1;
        return more == 0 ? first : first + " and " + more + " more";
    }
}
