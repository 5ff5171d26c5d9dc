package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.ObjectReference;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jboss.logging.Logger;

/**
 * Events on objects, for people who look at these and not at the client. Best effort: none is worth waiting for, and
 * beyond a burst they are dropped.
 */
@Singleton
public final class Events {

    private static final Logger LOG = Logger.getLogger(Events.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int BURST = 50;
    private static final Duration ONE_MORE_AFTER = Duration.ofMillis(200);

    /** Where Events on objects without a Namespace are. */
    private static final String DEFAULT_NAMESPACE = "default";

    /** The API wants six digits, always. */
    private static final DateTimeFormatter MICRO_TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final KubernetesApi api;
    private final ProcessClock clock;
    private final TokenBucket bucket = new TokenBucket(BURST, ONE_MORE_AFTER);

    public Events(KubernetesApi api, ProcessClock clock) {
        this.api = api;
        this.clock = clock;
    }

    /**
     * What happened.
     *
     * @param type Normal or Warning
     * @param reason in PascalCase, for machines
     * @param action what was done, in PascalCase
     * @param note for people, in one line
     */
    public record Happening(String type, String reason, String action, String note) {}

    /** Returns at once. */
    public void send(ObjectReference object, Happening happening) {
        if (!bucket.take(clock.nanoTime())) {
            return;
        }
        var namespace = object.namespace().isEmpty() ? DEFAULT_NAMESPACE : object.namespace();
        var event = event(namespace, object, happening);
        Thread.ofVirtual().name("event").start(() -> {
            try {
                var answer = api.createEvent(namespace, event, PATIENCE);
                if (!answer.isSuccess()) {
                    LOG.debugf("event was not taken: HTTP status %s", answer.status());
                }
            } catch (IOException e) {
                LOG.debug("event was not sent", e);
            }
        });
    }

    private JsonNode event(String namespace, ObjectReference object, Happening happening) {
        var event = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "events.k8s.io/v1")
                .put("kind", "Event")
                .put("type", happening.type())
                .put("reason", happening.reason())
                .put("action", happening.action())
                .put("note", happening.note())
                .put("eventTime", MICRO_TIME.format(clock.now()))
                .put("reportingController", "gitops-interlock.dev/webhook")
                .put("reportingInstance", instance());
        event.putObject("metadata").put("generateName", "gitops-interlock-").put("namespace", namespace);
        var regarding = event.putObject("regarding")
                .put("apiVersion", object.apiVersion())
                .put("kind", object.kind())
                .put("name", object.name())
                .put("uid", object.uid());
        if (!object.namespace().isEmpty()) {
            regarding.put("namespace", object.namespace());
        }
        return event;
    }

    /** The Pod's name, where there is one. */
    private static String instance() {
        var host = System.getenv().getOrDefault("HOSTNAME", "");
        return host.isEmpty() ? "gitops-interlock" : host.toLowerCase(Locale.ROOT);
    }
}
