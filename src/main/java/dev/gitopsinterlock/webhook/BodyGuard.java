package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.webhook.ReviewReading.Fault;
import io.quarkus.runtime.configuration.MemorySize;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.Deque;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Stands before the endpoints and keeps bad senders from costing more than a connection: a body that is too large is
 * discarded unread and answered with 413; one that takes too long ends with its connection; of big ones only a few are
 * read at a time, the others wait in the sender's hands.
 */
@Singleton
final class BodyGuard {

    /** Bodies up to here are cheap; what the API server sends for a Job is nearly always below. */
    private static final long BIG = 256 * 1024;

    /** How much of a body that is too large is discarded for the sake of a proper answer. */
    private static final long PATIENCE = 64 * 1024 * 1024;

    /** Before Quarkus' own check, which resets the connection before the sender can read the answer. */
    private static final int ORDER = -10;

    private final Vertx vertx;
    private final Settings settings;
    private final ReviewMetrics metrics;
    private final long limit;

    private final Deque<Waiting> queue = new ArrayDeque<>();
    private int inFlight;

    private record Waiting(RoutingContext request, Context context) {}

    BodyGuard(
            Vertx vertx,
            Settings settings,
            ReviewMetrics metrics,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit) {
        this.vertx = vertx;
        this.settings = settings;
        this.metrics = metrics;
        this.limit = limit.asLongValue();
    }

    void install(@Observes Router router) {
        router.post().order(ORDER).handler(this::guard);
    }

    private void guard(RoutingContext request) {
        setDeadline(request);
        var length = declaredLength(request.request());
        if (length > limit) {
            metrics.malformed(Fault.TOO_LARGE);
            discard(request);
        } else if (length >= 0 && length <= BIG) {
            request.next();
        } else {
            admitOrQueue(request);
        }
    }

    /** The idle timeout alone never ends a sender of one byte a second. */
    private void setDeadline(RoutingContext request) {
        var timer = vertx.setTimer(settings.bodyDeadline().toMillis(), id -> {
            if (!request.request().isEnded()) {
                metrics.malformed(Fault.TOO_SLOW);
                request.request().connection().close();
            }
        });
        request.addEndHandler(end -> vertx.cancelTimer(timer));
    }

    private static void discard(RoutingContext request) {
        var seen = new long[1];
        request.request()
                .handler(chunk -> {
                    seen[0] += chunk.length();
                    if (seen[0] > PATIENCE) {
                        request.request().connection().close();
                    }
                })
                .endHandler(end -> request.response()
                        .setStatusCode(413)
                        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
                        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain")
                        .end(Fault.TOO_LARGE.line() + "\n"))
                .resume();
    }

    private void admitOrQueue(RoutingContext request) {
        var waiting = new Waiting(request, vertx.getOrCreateContext());
        request.addEndHandler(end -> release(waiting));
        synchronized (queue) {
            if (inFlight >= settings.bigBodiesInFlight()) {
                queue.add(waiting);
                return;
            }
            inFlight++;
        }
        request.next();
    }

    /** Its place goes to the next in the queue; one that ended while it waited had none. */
    private void release(Waiting ended) {
        Waiting next;
        synchronized (queue) {
            if (queue.remove(ended)) {
                return;
            }
            next = queue.poll();
            if (next == null) {
                inFlight--;
                return;
            }
        }
        next.context().runOnContext(go -> next.request().next());
    }

    /** -1 for a chunked body, whose length nobody knows yet. */
    private static long declaredLength(HttpServerRequest request) {
        var header = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return header == null ? -1 : Long.parseLong(header);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
