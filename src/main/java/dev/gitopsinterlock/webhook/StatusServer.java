package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.config.PackagedFile;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.config.Settings.PageAudience;
import dev.gitopsinterlock.page.StatusPage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the status page at the root of the management port, with all that it needs: one style sheet and one picture, no
 * script. It can only be looked at. By default it is shown to those who come from inside the Pod, as a forwarded port does:
 * who may do that is for Kubernetes to say.
 */
@Singleton
final class StatusServer {

    private static final String PAGE = "/";
    private static final String FOLDER = "/status/";
    private static final Map<String, String> FILES =
            Map.of("style.css", "text/css; charset=utf-8", "icon.svg", "image/svg+xml");

    /** What a browser calls the near end of a forwarded port; a page of others' that has a name of its own is none of it. */
    private static final Set<String> NEAR = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'",
            "Cache-Control",
            "no-store",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Referrer-Policy",
            "no-referrer",
            "X-Content-Type-Options",
            "nosniff");

    private final PageAudience audience;
    private final StatusFacts facts;

    StatusServer(Settings settings, StatusFacts facts) {
        this.audience = settings.statusPage();
        this.facts = facts;
    }

    void install(Router router) {
        if (audience == PageAudience.DISABLED) {
            return;
        }
        serve(router, PAGE, "text/html; charset=utf-8", this::page);
        FILES.forEach((name, type) ->
                serve(router, FOLDER + name, type, () -> Buffer.buffer(PackagedFile.text(FOLDER + name))));
    }

    private void serve(Router router, String path, String type, Supplier<Buffer> content) {
        router.route(path).blockingHandler(request -> {
            if (isFor(request)) {
                respond(request, 200, type, content.get());
            } else {
                respond(
                        request,
                        403,
                        "text/plain; charset=utf-8",
                        Buffer.buffer("this page is for those who forward a port: kubectl interlock dashboard\n"));
            }
        });
    }

    private Buffer page() {
        return Buffer.buffer(StatusHtml.of(StatusPage.of(facts.now())));
    }

    private static void respond(RoutingContext request, int status, String type, Buffer content) {
        HEADERS.forEach(request.response()::putHeader);
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", type)
                .putHeader("Content-Length", Integer.toString(content.length()));
        if (request.request().method().equals(HttpMethod.HEAD)) {
            request.end();
        } else {
            request.end(content);
        }
    }

    private boolean isFor(RoutingContext request) {
        return audience == PageAudience.EVERYONE
                || isNear(request.request().remoteAddress(), request.request().authority());
    }

    /** From inside the Pod, and for one of the names that stand for that: another name can be a page that leads here. */
    static boolean isNear(@Nullable SocketAddress from, @Nullable HostAndPort to) {
        return from != null
                && from.hostAddress() != null
                && from.hostAddress().matches("127\\..*|::1|0:0:0:0:0:0:0:1")
                && to != null
                && NEAR.contains(to.host());
    }
}
