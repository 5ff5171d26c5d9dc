package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.config.PackagedFile;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Serves the pages of docs/guidance, and what they lead to, on the management port: in a cluster that reaches nothing else,
 * too. They come out of the package and are the same for everybody.
 */
@Singleton
final class GuidanceServer {

    private static final String FOLDER = "/guidance";
    private static final String INDEX = "index";

    /** Nothing that could lead out of the folder. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]+");

    void install(Router router) {
        router.route(FOLDER).handler(request -> {
            if (request.normalizedPath().endsWith("/")) {
                request.next();
            } else {
                request.redirect(FOLDER + "/");
            }
        });
        router.route(FOLDER + "/").blockingHandler(request -> answer(request, INDEX));
        router.route(FOLDER + "/:page")
                .blockingHandler(request -> answer(request, String.valueOf(request.pathParam("page"))));
    }

    private static void answer(RoutingContext request, String name) {
        page(name)
                .ifPresentOrElse(
                        page -> request.response()
                                .putHeader("Content-Type", "text/html; charset=utf-8")
                                .putHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
                                .putHeader("X-Content-Type-Options", "nosniff")
                                .end(Buffer.buffer(page)),
                        () -> request.response()
                                .setStatusCode(404)
                                .putHeader("Content-Type", "text/plain; charset=utf-8")
                                .end("no page has this name; " + FOLDER + "/ lists them all\n"));
    }

    private static Optional<byte[]> page(String name) {
        return NAME.matcher(name).matches() ? PackagedFile.bytes(FOLDER + "/" + name + ".html") : Optional.empty();
    }
}
