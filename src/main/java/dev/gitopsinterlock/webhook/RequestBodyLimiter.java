package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.webhook.ReviewBody.Fault;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.quarkus.runtime.configuration.MemorySize;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Stands before the endpoints, reads the bodies for them, and keeps bad senders from costing more than a connection: a
 * body that is too large is discarded and answered with 413; one that takes too long ends with its connection, sooner
 * where it stands in another's way; and all bodies together take no more than there is room for.
 */
@Singleton
final class RequestBodyLimiter {

    /** Two of the largest Jobs that etcd takes, before and after an edit. */
    private static final long ROOM = 8 * 1024 * 1024;

    /** How much of a body that is too large is discarded for the sake of a proper answer. */
    private static final long PATIENCE = 64 * 1024 * 1024;

    /** Whoever is in others' way and sends nothing for so long is cut off. */
    private static final Duration STALL = Duration.ofSeconds(2);

    /** Before Quarkus' own check, which resets the connection before the sender can read the answer. */
    private static final int ORDER = -10;

    private final Vertx vertx;
    private final Settings settings;
    private final ReviewMetrics metrics;
    private final long limit;
    private final BodyRoom room = new BodyRoom(ROOM);

    RequestBodyLimiter(
            Vertx vertx,
            Settings settings,
            ReviewMetrics metrics,
            MeterRegistry registry,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit) {
        this.vertx = vertx;
        this.settings = settings;
        this.metrics = metrics;
        this.limit = limit.asLongValue();
        Gauge.builder("gitops.interlock.bodies.held", room::held)
                .description("Bytes of requests' bodies that are held, read in part or not judged yet")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("gitops.interlock.bodies.waiting", room::waiting)
                .description("Requests whose bodies are not read on for want of room")
                .register(registry);
    }

    void install(@Observes Router router) {
        router.post().order(ORDER).handler(this::guard);
    }

    private void guard(RoutingContext request) {
        if (hasAnotherLength(request.request())) {
            metrics.malformed(Fault.NO_LENGTH);
            var _ = answer(request, HttpResponseStatus.BAD_REQUEST, Fault.NO_LENGTH)
                    .onComplete(sent -> request.request().connection().close());
        } else if (declaredLength(request.request()) > limit) {
            metrics.malformed(Fault.TOO_LARGE);
            discard(request);
        } else {
            new BodyReading(request).begin();
        }
    }

    private void discard(RoutingContext request) {
        var deadline = vertx.setTimer(
                settings.bodyDeadline().toMillis(),
                id -> request.request().connection().close());
        request.addEndHandler(end -> vertx.cancelTimer(deadline));
        var seen = new long[1];
        request.request()
                .handler(chunk -> {
                    seen[0] += chunk.length();
                    if (seen[0] > PATIENCE) {
                        request.request().connection().close();
                    }
                })
                .endHandler(end -> answer(request, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, Fault.TOO_LARGE))
                .resume();
    }

    private static Future<Void> answer(RoutingContext request, HttpResponseStatus status, Fault fault) {
        return request.response()
                .setStatusCode(status.code())
                .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain")
                .end(fault.line() + "\n");
    }

    /** Where a proxy before us may see another end of the body than we do, somebody's next request would be read as another's. */
    private static boolean hasAnotherLength(HttpServerRequest request) {
        var encodings = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
        return !encodings.isEmpty()
                && !(encodings.size() == 1 && encodings.getFirst().equalsIgnoreCase("chunked"));
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

    /** Of one body. Everything in here happens on the thread of its connection. */
    private final class BodyReading {

        private final RoutingContext context;
        private final HttpServerRequest request;
        private final BodyRoom.Place place;
        private final Body body;
        private final Context thread;
        private long lastPiece = System.nanoTime();
        private boolean isPaused;
        private boolean waited;
        private boolean isOver;
        private final List<Long> timers = new ArrayList<>();

        BodyReading(RoutingContext context) {
            this.context = context;
            this.request = context.request();
            this.thread = vertx.getOrCreateContext();
            this.place = room.enter(
                    CallerAuthentication.of(context) instanceof ApiServer,
                    this::pause,
                    () -> thread.runOnContext(go -> resume()));
            this.body = Body.begin(context, place::release);
        }

        void begin() {
            context.addEndHandler(end -> {
                stopTimers();
                // what waits to be judged is in memory, whether or not somebody waits for the answer
                if (!body.isTaken()) {
                    place.release();
                }
            });
            if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
                request.response().writeContinue();
            }
            request.handler(piece -> {
                        lastPiece = System.nanoTime();
                        if (body.length() + piece.length() > limit) {
                            metrics.malformed(Fault.TOO_LARGE);
                            body.release();
                            discard(context);
                            return;
                        }
                        body.add(piece.getBytes());
                        place.add(piece.length());
                    })
                    .endHandler(end -> {
                        stopTimers();
                        context.next();
                    })
                    .resume();
            // nearly every body has come in by then, and needs none
            thread.runOnContext(later -> startTimers());
        }

        private void startTimers() {
            if (isOver) {
                return;
            }
            // the idle timeout alone never ends a sender of one byte a second
            timers.add(vertx.setTimer(settings.bodyDeadline().toMillis(), id -> end()));
            timers.add(vertx.setPeriodic(STALL.toMillis(), id -> {
                if (place.isBlocking() && !isPaused && System.nanoTime() - lastPiece > STALL.toNanos()) {
                    cutOff();
                }
            }));
        }

        private void stopTimers() {
            isOver = true;
            timers.forEach(vertx::cancelTimer);
            timers.clear();
        }

        private void pause() {
            isPaused = true;
            waited = true;
            request.pause();
        }

        private void resume() {
            isPaused = false;
            lastPiece = System.nanoTime();
            request.resume();
        }

        /** Whoever had to wait was not slow by itself. */
        private void end() {
            if (!request.isEnded() && waited) {
                metrics.malformed(Fault.NO_ROOM);
                body.release();
                request.handler(piece -> {}).endHandler(end -> {});
                answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, Fault.NO_ROOM)
                        .onComplete(sent -> request.connection().close());
            } else {
                cutOff();
            }
        }

        private void cutOff() {
            if (!request.isEnded()) {
                metrics.malformed(Fault.TOO_SLOW);
                body.release();
                request.connection().close();
            }
        }
    }
}
