package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Caller.AuthenticationDisabled;
import dev.gitopsinterlock.admission.Caller.Unauthenticated;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.trust.CallerTokens;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * The one place that decides whether a caller is the API server. Stands before everything else, and takes the caller
 * token out of the path: nothing behind it can log, count or answer with a token that it never sees.
 */
@Singleton
final class CallerAuthentication {

    private static final int BEFORE_ALL_ELSE = -30;
    private static final String CALLER = CallerAuthentication.class.getName();

    /** Whatever comes behind the path of a route is taken for a token, right or wrong. */
    private static final Pattern WITH_TOKEN = Pattern.compile("(/(?:mutate|validate)/[^/]+)/(.*)");

    private final List<byte[]> tokens;
    private final boolean rotates;
    private final CallerTokens rotating;
    private final boolean asksForCertificates;

    @Inject
    CallerAuthentication(Settings settings, CallerTokens rotating) {
        this(settings.authentication(), rotating);
    }

    CallerAuthentication(Settings.Authentication authentication, CallerTokens rotating) {
        this.rotates = authentication.rotates();
        this.rotating = rotating;
        this.tokens = authentication.tokens().stream()
                .map(token -> token.getBytes(UTF_8))
                .toList();
        this.asksForCertificates = authentication.callers().isPresent();
    }

    void install(@Observes Router router) {
        router.route().order(BEFORE_ALL_ELSE).handler(this::authenticate).failureHandler(CallerAuthentication::refuse);
    }

    /** What is no proper request, without a Host for example, comes past here; Quarkus would log it with its path. */
    private static void refuse(RoutingContext request) {
        if (request.statusCode() >= 400 && request.statusCode() < 500) {
            request.response().setStatusCode(request.statusCode()).end();
        } else {
            request.next();
        }
    }

    /** Who sent the request. Throws for one that did not pass here, which none can. */
    static Caller of(RoutingContext request) {
        Caller caller = request.get(CALLER);
        if (caller == null) {
            throw new IllegalStateException("a route that callers reach without being authenticated");
        }
        return caller;
    }

    private void authenticate(RoutingContext request) {
        if (request.get(CALLER) != null) {
            request.next();
            return;
        }
        var matcher = WITH_TOKEN.matcher(String.valueOf(request.request().path()));
        if (!matcher.matches()) {
            request.put(CALLER, caller("", isCertified(request)));
            request.next();
            return;
        }
        request.put(CALLER, caller(matcher.group(2), isCertified(request)));
        var query = request.request().query();
        request.reroute(matcher.group(1) + (query == null ? "" : "?" + query));
    }

    /**
     * Nobody gets through the handshake without one where they are asked for; but a connection may have had no handshake.
     * Where they are not asked for, to look for one costs an exception for each request.
     */
    private boolean isCertified(RoutingContext request) {
        if (!asksForCertificates) {
            return false;
        }
        try {
            var session = request.request().sslSession();
            return session != null && session.getPeerCertificates().length > 0;
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    /**
     * What is configured has to be shown, all of it. Each token is compared in the same time however much of it is right.
     *
     * @param token as it came in; empty for none
     * @param isCertified whether the connection showed a client certificate that is let in; false where none is asked for
     */
    Caller caller(String token, boolean isCertified) {
        var asksForTokens = rotates || !tokens.isEmpty();
        if (!asksForTokens && !asksForCertificates) {
            return new AuthenticationDisabled();
        }
        var given = token.getBytes(UTF_8);
        var isKnown = !asksForTokens || rotating.isAccepted(given);
        for (var expected : tokens) {
            isKnown |= MessageDigest.isEqual(expected, given);
        }
        return isKnown && (isCertified || !asksForCertificates) ? new ApiServer() : new Unauthenticated();
    }
}
