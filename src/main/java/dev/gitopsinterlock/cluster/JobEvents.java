package dev.gitopsinterlock.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.Effect.Order;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jboss.logging.Logger;

/**
 * Events on Jobs that we created, for people who look at the Job and not at the client. Best effort: none is worth
 * waiting for, and beyond a burst they are dropped.
 */
@Singleton
final class JobEvents {

    private static final Logger LOG = Logger.getLogger(JobEvents.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int BURST = 50;
    private static final Duration ONE_MORE_AFTER = Duration.ofMillis(200);

    /** The API wants six digits, always. */
    private static final DateTimeFormatter MICRO_TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final KubernetesApi api;
    private final TokenBucket bucket = new TokenBucket(BURST, ONE_MORE_AFTER);

    JobEvents(KubernetesApi api) {
        this.api = api;
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
        if (!bucket.take(System.nanoTime())) {
            return;
        }
        var event = event(
                job, reason, action, note.formatted(fields(order), order.tool().label()));
        Thread.ofVirtual().name("job-event").start(() -> {
            try {
                var answer = api.createEvent(order.job().namespace(), event, PATIENCE);
                if (!answer.isSuccess()) {
                    LOG.debugf("event was not taken: HTTP status %s", answer.status());
                }
            } catch (IOException e) {
                LOG.debug("event was not sent", e);
            }
        });
    }

    private static String fields(Order order) {
        var first = order.fields().getFirst();
        var more = order.fields().size() - 1;
        return more == 0 ? first : first + " and " + more + " more";
    }

    private static JsonNode event(JsonNode job, String reason, String action, String note) {
        var metadata = job.path("metadata");
        var event = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "events.k8s.io/v1")
                .put("kind", "Event")
                .put("type", "Normal")
                .put("reason", reason)
                .put("action", action)
                .put("note", note)
                .put("eventTime", MICRO_TIME.format(Instant.now()))
                .put("reportingController", "gitops-interlock.dev/webhook")
                .put("reportingInstance", instance());
        event.putObject("metadata")
                .put("generateName", "gitops-interlock-")
                .put("namespace", metadata.path("namespace").asText());
        event.putObject("regarding")
                .put("apiVersion", "batch/v1")
                .put("kind", "Job")
                .put("namespace", metadata.path("namespace").asText())
                .put("name", metadata.path("name").asText())
                .put("uid", metadata.path("uid").asText());
        return event;
    }

    /** The Pod's name, where there is one. */
    private static String instance() {
        var host = System.getenv().getOrDefault("HOSTNAME", "");
        return host.isEmpty() ? "gitops-interlock" : host.toLowerCase(Locale.ROOT);
    }
}
