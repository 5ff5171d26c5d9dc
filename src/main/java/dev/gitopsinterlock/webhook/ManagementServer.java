package dev.gitopsinterlock.webhook;

import static io.netty.handler.codec.http.HttpResponseStatus.INTERNAL_SERVER_ERROR;
import static io.netty.handler.codec.http.HttpResponseStatus.METHOD_NOT_ALLOWED;
import static io.netty.handler.codec.http.HttpResponseStatus.NOT_FOUND;

import dev.gitopsinterlock.config.CheckedSettings;
import dev.gitopsinterlock.logging.LogRateLimiter;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.quarkus.micrometer.runtime.export.handlers.PrometheusHandler;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.smallrye.health.runtime.SmallRyeHealthHandler;
import io.quarkus.smallrye.health.runtime.SmallRyeLivenessHandler;
import io.quarkus.smallrye.health.runtime.SmallRyeReadinessHandler;
import io.quarkus.smallrye.health.runtime.SmallRyeStartupHandler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The management port: health, metrics, settings, guidance and the status page, without TLS, for every Pod that reaches it. So it can
 * only be looked at: no body is read, and what is not GET or HEAD is answered at once. Quarkus has such a port, too, but none
 * whose connections could be guarded.
 */
@Singleton
final class ManagementServer {

    /** All of ours are like that; a router that is to make sense of others says in the log what it thinks of them. */
    private static final Pattern PATHS = Pattern.compile("[A-Za-z0-9/._-]+");

    private static final Set<HttpMethod> LOOKS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    private static final Logger LOG = Logger.getLogger(ManagementServer.class);

    private final LogRateLimiter complaints = new LogRateLimiter(InstantSource.system());
    private final Vertx vertx;
    private final ConnectionGuard guard;
    private final String settings;
    private final StatusServer status;
    private final GuidanceServer guidance;
    private final String host;
    private final int port;

    ManagementServer(
            Vertx vertx,
            ConnectionGuard guard,
            CheckedSettings settings,
            StatusServer status,
            GuidanceServer guidance,
            @ConfigProperty(name = "quarkus.management.host") String host,
            @ConfigProperty(name = "quarkus.management.port") int port) {
        this.vertx = vertx;
        this.guard = guard;
        this.settings = settings.shown() + "\n";
        this.status = status;
        this.guidance = guidance;
        this.host = host;
        this.port = port;
    }

    void listen(@Observes StartupEvent start) {
        var router = router();
        guard.withoutTls(vertx, host, port, request -> {
                    if (PATHS.matcher(String.valueOf(request.path())).matches()) {
                        router.handle(request);
                    } else {
                        request.response().setStatusCode(NOT_FOUND.code()).end();
                    }
                })
                .listen()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    private Router router() {
        var router = Router.router(vertx);
        router.route().handler(ManagementServer::lookOnly).failureHandler(this::fail);
        router.route("/q/health").handler(new SmallRyeHealthHandler());
        router.route("/q/health/live").handler(new SmallRyeLivenessHandler());
        router.route("/q/health/ready").handler(new SmallRyeReadinessHandler());
        router.route("/q/health/started").handler(new SmallRyeStartupHandler());
        var metrics = new PrometheusHandler(false, Optional.empty());
        router.route("/q/metrics").blockingHandler(request -> {
            // whoever left while others were answered costs no more
            if (!request.response().closed()) {
                metrics.handle(request);
            }
        });
        router.route("/settings")
                .handler(request -> request.response()
                        .putHeader("Content-Type", "application/json")
                        .putHeader("X-Content-Type-Options", "nosniff")
                        .end(settings));
        status.install(router);
        guidance.install(router);
        router.route().handler(request -> answer(request, NOT_FOUND));
        return router;
    }

    private static void lookOnly(RoutingContext request) {
        if (LOOKS.contains(request.request().method())) {
            request.next();
        } else {
            request.response().putHeader("Allow", "GET, HEAD");
            answer(request, METHOD_NOT_ALLOWED);
        }
    }

    /** What is wrong with a request is said to its sender alone: nobody writes what they like into the log. */
    private void fail(RoutingContext request) {
        var isOurs = request.statusCode() < 400 || request.statusCode() >= 500;
        if (isOurs) {
            complaints.next().ifPresent(heldBack -> LOG.error("a page could not be made", request.failure()));
        }
        answer(request, isOurs ? INTERNAL_SERVER_ERROR : HttpResponseStatus.valueOf(request.statusCode()));
    }

    private static void answer(RoutingContext request, HttpResponseStatus status) {
        if (!request.response().ended()) {
            request.response()
                    .setStatusCode(status.code())
                    .putHeader("Content-Type", "text/plain; charset=utf-8")
                    .end(status.reasonPhrase() + "\n");
        }
    }
}
