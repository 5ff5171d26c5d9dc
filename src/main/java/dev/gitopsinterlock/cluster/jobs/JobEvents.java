package dev.gitopsinterlock.cluster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.cluster.api.Events;
import dev.gitopsinterlock.cluster.api.Events.Happening;
import dev.gitopsinterlock.job.carryout.Effect.JobOperation;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;

/** Events on Jobs that we created, and on new ones that something is to be said about. */
@Singleton
public final class JobEvents {

    /** The API takes no longer ones. */
    private static final int MAX_NOTE = 1024;

    private final Events events;

    JobEvents(Events events) {
        this.events = events;
    }

    void replaced(JobOperation operation, JsonNode job) {
        send(operation, job, "Replaced", "Replace", "Took the place of an older Job because %s changed, sent by %s");
    }

    void started(JobOperation operation, JsonNode job) {
        send(
                operation,
                job,
                "RunStarted",
                "Create",
                "Started for an edit of Job " + operation.job().name() + " in %s, sent by %s");
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
        var note = String.join("; ", warnings);
        send(
                job,
                new Happening(
                        "Warning", "LintFinding", "Create", note.substring(0, Math.min(note.length(), MAX_NOTE))));
    }

    private void send(JobOperation operation, JsonNode job, String reason, String action, String note) {
        send(
                job,
                new Happening(
                        "Normal",
                        reason,
                        action,
                        note.formatted(fields(operation), operation.tool().label())));
    }

    private void send(JsonNode job, Happening happening) {
        var metadata = job.path("metadata");
        events.send(
                new ObjectReference(
                        "batch/v1",
                        "Job",
                        metadata.path("namespace").asText(),
                        metadata.path("name").asText(),
                        metadata.path("uid").asText()),
                happening);
    }

    private static String fields(JobOperation operation) {
        var first = operation.fields().getFirst();
        var more = operation.fields().size() - 1;
        return more == 0 ? first : first + " and " + more + " more";
    }
}
