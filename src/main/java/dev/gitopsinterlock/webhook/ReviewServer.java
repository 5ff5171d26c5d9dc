package dev.gitopsinterlock.webhook;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.gitopsinterlock.admission.Route;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.quarkus.arc.All;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the API server's reviews come in: each goes to the route that a feature has registered for its path. A small one
 * is answered on the event loop, a large one or one that needs the cluster by another thread.
 */
@Singleton
final class ReviewServer {

    /** Of RequestBodyLimiter, and behind those that look at every request. */
    private static final int BEFORE_BODIES = -15;

    private final Vertx vertx;
    private final List<Route<?, ?>> routes;
    private final Set<String> paths;
    private final ReviewPipeline pipeline;

    ReviewServer(Vertx vertx, @All List<Route<?, ?>> routes, ReviewPipeline pipeline) {
        this.vertx = vertx;
        this.routes = routes;
        this.paths = routes.stream().map(route -> "/" + route.path()).collect(toUnmodifiableSet());
        this.pipeline = pipeline;
    }

    void install(@Observes Router router) {
        router.route().order(BEFORE_BODIES).handler(this::ofReviewsAlone);
        for (var route : routes) {
            router.post("/" + route.path()).consumes(Answer.REVIEW).handler(request -> answer(route, request));
        }
    }

    /** Whatever else Quarkus serves by itself, and whatever is sent elsewhere, is not read. */
    private void ofReviewsAlone(RoutingContext request) {
        if (!paths.contains(request.normalizedPath())) {
            request.fail(HttpResponseStatus.NOT_FOUND.code());
        } else if (!request.request().method().equals(HttpMethod.POST)) {
            request.fail(HttpResponseStatus.METHOD_NOT_ALLOWED.code());
        } else {
            request.next();
        }
    }

    private void answer(Route<?, ?> route, RoutingContext request) {
        var thread = vertx.getOrCreateContext();
        pipeline.answer(route, request).whenComplete((answer, failure) -> {
            if (thread.equals(Vertx.currentContext())) {
                respond(request, answer, failure);
            } else {
                thread.runOnContext(go -> respond(request, answer, failure));
            }
        });
    }

    /** On the thread of its connection. */
    private static void respond(RoutingContext request, @Nullable Answer answer, @Nullable Throwable failure) {
        if (answer == null) {
            request.fail(failure);
        } else if (!request.response().closed()) {
            request.response()
                    .setStatusCode(answer.status())
                    .putHeader(HttpHeaders.CONTENT_TYPE, answer.type())
                    .end(Buffer.buffer(answer.body()));
        }
    }
}
