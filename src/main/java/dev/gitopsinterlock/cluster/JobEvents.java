package dev.gitopsinterlock.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Effect.Order;
import dev.gitopsinterlock.cluster.Events.Happening;
import dev.gitopsinterlock.cluster.Events.Regarding;
import jakarta.inject.Singleton;

/** Events on Jobs that we created. */
@Singleton
final class JobEvents {

    private final Events events;

    JobEvents(Events events) {
        this.events = events;
    }

    void replaced(Order order, JsonNode job) {
        send(order, job, "Replaced", "Replace", "Took the place of an older Job because %s changed, sent by %s");
    }

    void started(Order order, JsonNode job) {
        send(
                order,
                job,
                "RunStarted",
                "StartRun",
                "Started for an edit of Job " + order.job().name() + " in %s, sent by %s");
    }

    private void send(Order order, JsonNode job, String reason, String action, String note) {
        var metadata = job.path("metadata");
        events.send(
                new Regarding(
                        "batch/v1",
                        "Job",
                        metadata.path("namespace").asText(),
                        metadata.path("name").asText(),
                        metadata.path("uid").asText()),
                new Happening(
                        "Normal",
                        reason,
                        action,
                        note.formatted(fields(order), order.tool().label())));
    }

    private static String fields(Order order) {
        var first = order.fields().getFirst();
        var more = order.fields().size() - 1;
        return more == 0 ? first : first + " and " + more + " more";
    }
}
