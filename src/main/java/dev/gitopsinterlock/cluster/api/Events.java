package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.api.KubernetesApi.Patch;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Events on objects, for people who look at these and not at the client. Best effort: none is worth waiting for, and
 * beyond a burst, of each Namespace and of all, they are dropped. Thread-safe.
 */
@Singleton
public final class Events {

    private static final Logger LOG = Logger.getLogger(Events.class);
    private static final int BURST = 50;
    private static final Duration ONE_MORE_AFTER = Duration.ofMillis(200);
    private static final int SERIES_BURST = 25;
    private static final Duration ONE_MORE_SERIES_AFTER = Duration.ofSeconds(1);

    /** The API takes no longer notes. */
    private static final int MAX_NOTE = 1024;

    static final String PREFIX = "gitops-interlock-";

    /** Where Events on objects without a Namespace are. */
    private static final String DEFAULT_NAMESPACE = "default";

    /** The API wants six digits, always. */
    private static final DateTimeFormatter MICRO_TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final KubernetesApi api;
    private final ProcessClock clock;
    private final TokenBuckets buckets = new TokenBuckets(BURST, ONE_MORE_AFTER);

    /** Of their own: what somebody tries again and again takes nothing from what is told once. */
    private final TokenBuckets seriesBuckets = new TokenBuckets(SERIES_BURST, ONE_MORE_SERIES_AFTER);

    private final EventSeries series = new EventSeries();

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

    /** One Event. Returns at once. */
    public void send(ObjectReference object, Happening happening) {
        var namespace = namespace(object);
        if (buckets.take(namespace, clock.nanoTime())) {
            var event = event(namespace, object, happening);
            event.withObject("/metadata").put("generateName", PREFIX);
            inBackground(
                    () -> api.create(ResourceType.EVENT.path(namespace), event, KubernetesApi.PATIENCE), answer -> {});
        }
    }

    /**
     * Sends an Event about something that can happen again and again: one Event that says how often, as far as this replica knows, and when
     * last. It is brought up to date every ten seconds at most, and later where there are many.
     */
    public void sendAsSeries(ObjectReference object, Happening happening) {
        var key = EventSeries.Key.of(object, happening);
        var namespace = namespace(object);
        var step = series.next(key, clock.nanoTime(), () -> seriesBuckets.take(namespace, clock.nanoTime()));
        switch (step) {
            case EventSeries.Begun(var name) -> {
                var event = event(namespace, object, happening);
                event.withObject("/metadata").put("name", name);
                inBackground(
                        () -> api.create(ResourceType.EVENT.path(namespace), event, KubernetesApi.PATIENCE),
                        answer -> forgetOnFailure(key, answer));
            }
            case EventSeries.Continued(var name, var count) -> {
                var patch = JsonNodeFactory.instance.objectNode();
                patch.putObject("series").put("count", count).put("lastObservedTime", MICRO_TIME.format(clock.now()));
                inBackground(
                        () -> api.patch(
                                ResourceType.EVENT.path(namespace) + "/" + name,
                                Patch.MERGE,
                                patch,
                                KubernetesApi.PATIENCE),
                        answer -> forgetOnFailure(key, answer));
            }
            case EventSeries.Untold() -> {}
        }
    }

    /** API servers keep Events for an hour: what is gone begins anew. */
    private void forgetOnFailure(EventSeries.Key key, ApiAnswer answer) {
        if (!answer.isSuccess()) {
            series.forget(key);
        }
    }

    private interface Sending {
        ApiAnswer send() throws IOException;
    }

    private static void inBackground(Sending sending, Consumer<ApiAnswer> then) {
        Thread.ofVirtual().name("event").start(() -> {
            try {
                var answer = sending.send();
                if (!answer.isSuccess()) {
                    LOG.debugf("event was not taken: HTTP status %s", answer.status());
                }
                then.accept(answer);
            } catch (IOException e) {
                LOG.debug("event was not sent", e);
            }
        });
    }

    private static String namespace(ObjectReference object) {
        return object.namespace().isEmpty() ? DEFAULT_NAMESPACE : object.namespace();
    }

    private ObjectNode event(String namespace, ObjectReference object, Happening happening) {
        var event = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "events.k8s.io/v1")
                .put("kind", "Event")
                .put("type", happening.type())
                .put("reason", happening.reason())
                .put("action", happening.action())
                .put("note", note(happening))
                .put("eventTime", MICRO_TIME.format(clock.now()))
                .put("reportingController", "gitops-interlock.dev/webhook")
                .put("reportingInstance", instance());
        event.putObject("metadata").put("namespace", namespace);
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

    private static String note(Happening happening) {
        var note = happening.note();
        return note.substring(0, Math.min(note.length(), MAX_NOTE));
    }

    /** The Pod's name, where there is one. */
    private static String instance() {
        var host = System.getenv().getOrDefault("HOSTNAME", "");
        return host.isEmpty() ? "gitops-interlock" : host.toLowerCase(Locale.ROOT);
    }
}
