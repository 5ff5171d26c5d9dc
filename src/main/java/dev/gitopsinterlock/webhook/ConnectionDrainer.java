package dev.gitopsinterlock.webhook;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Ends each connection with its next answer, from the moment at which the process is told to stop. The API server keeps
 * its connections for as long as it can, and a review that it sends on one at the moment of its end is lost.
 */
@Singleton
final class ConnectionDrainer {

    private static final int FIRST = -20;

    private volatile boolean leaving;

    void install(@Observes Router router) {
        router.route().order(FIRST).handler(request -> {
            if (leaving) {
                request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            }
            request.next();
        });
    }

    void leave(@Observes ShutdownDelayInitiatedEvent event) {
        leaving = true;
    }
}
