package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Caller.Unauthenticated;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.config.Settings.TlsEngine;
import dev.gitopsinterlock.webhook.ConnectionRoom.Place;
import dev.gitopsinterlock.webhook.ConnectionRoom.Why;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.OpenSsl;
import io.netty.util.ReferenceCountUtil;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.quarkus.vertx.http.HttpsServerStart;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/**
 * Stands before every port: what a request may be long, how many may be connected, and for how long without asking for
 * anything, so that connections that nobody uses lock nobody out. Learns of each one when it begins and when its handshake
 * is done, and of its requests once it is known who sent them. Nothing else opens a port (ArchitectureTest).
 */
@Singleton
final class ConnectionGuard implements HttpServerOptionsCustomizer, WatchedTls.Watcher {

    private static final int PLACES = 256;
    private static final int UNAUTHENTICATED_PLACES = 64;
    private static final int HANDSHAKES = 256;

    /** Of the port without TLS, where everybody is a stranger: probes, a Prometheus or two, a person's browser. */
    private static final int PLACES_WITHOUT_TLS = 64;

    private static final int PLACES_OF_ONE_ADDRESS_WITHOUT_TLS = 16;

    /** An API server connects in order to ask. */
    private static final Duration FIRST_REQUEST = Duration.ofSeconds(5);

    /** There, a connection is for one request, and its answer has gone out by then. */
    private static final Duration WHOLE = Duration.ofSeconds(30);

    /** The lines of a request; an API server's are not half as long. */
    private static final int HEADERS = 16 * 1024;

    private static final int FIRST_LINE = 4 * 1024;

    /** The name of the handler that is Vert.x' connection. */
    private static final String VERTX = "handler";

    /** Behind CallerAuthentication. */
    private static final int ORDER = -25;

    private static final Logger LOG = Logger.getLogger(ConnectionGuard.class);

    private final MeterRegistry registry;
    private final TlsEngine engine;
    private final ConnectionRoom room = new ConnectionRoom(PLACES, UNAUTHENTICATED_PLACES);
    private final HandshakeRoom handshakes = new HandshakeRoom(HANDSHAKES);
    private final ConcurrentMap<String, Place> open = new ConcurrentHashMap<>();
    private volatile boolean isListening;
    private final ConnectionRoom roomWithoutTls =
            new ConnectionRoom(PLACES_WITHOUT_TLS, PLACES_OF_ONE_ADDRESS_WITHOUT_TLS);

    ConnectionGuard(MeterRegistry registry, Settings settings) {
        this.engine = settings.tlsEngine();
        this.registry = registry;
        Gauge.builder("gitops.interlock.connections", room::open)
                .description("Open connections to the webhook, of at most " + PLACES)
                .register(registry);
        Gauge.builder("gitops.interlock.connections.in.use", room::inUse)
                .description("Connections to the webhook with a request that is not answered yet")
                .register(registry);
        for (var why : Why.values()) {
            closed(why);
        }
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        limit(options);
        options.setSslEngineOptions(new WatchedTls(this, engine == TlsEngine.BORING_SSL && isLoaded()));
    }

    /**
     * A server without TLS, for whoever reaches the port, which listens once it is told to. It speaks HTTP/1.1, one request a
     * connection.
     *
     * @param answer never asked to read a body, which nobody here has a use for
     */
    HttpServer withoutTls(Vertx vertx, String host, int port, Handler<HttpServerRequest> answer) {
        var options = limit(new HttpServerOptions().setHost(host).setPort(port));
        var places = new ConcurrentHashMap<HttpConnection, Place>();
        return vertx.createHttpServer(options)
                .connectionHandler(connection -> {
                    var channel = ((ConnectionBase) connection).channel();
                    channel.pipeline().addBefore(VERTX, "one request", new OneRequest());
                    var place =
                            roomWithoutTls.enter(connection.remoteAddress().hostAddress(), why -> close(channel, why));
                    places.put(connection, place);
                    var first = vertx.setTimer(FIRST_REQUEST.toMillis(), passed -> place.expectUse());
                    var whole = vertx.setTimer(WHOLE.toMillis(), passed -> closeNow(channel));
                    connection.closeHandler(closed -> {
                        vertx.cancelTimer(first);
                        vertx.cancelTimer(whole);
                        places.remove(connection);
                        place.leave();
                    });
                })
                .requestHandler(request -> {
                    var place = places.get(request.connection());
                    if (place != null) {
                        // whoever does not read its answer leaves in its turn, as one that is idle
                        place.begin(false);
                        place.end();
                    }
                    request.response()
                            .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
                            .bodyEndHandler(answered -> request.connection().close());
                    answer.handle(request);
                });
    }

    /** Lets one request through without a body, and nothing of what comes in behind it, which Vert.x would keep. */
    private static final class OneRequest extends ChannelInboundHandlerAdapter {

        private boolean isThrough;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!isThrough && message instanceof HttpRequest) {
                isThrough = true;
                context.channel().config().setAutoRead(false);
                context.fireChannelRead(message);
                context.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
            } else {
                ReferenceCountUtil.release(message);
            }
        }
    }

    /** On every port: HTTP/1.1 alone, whose lines are bounded. */
    private static HttpServerOptions limit(HttpServerOptions options) {
        return options.setMaxHeaderSize(HEADERS)
                .setMaxInitialLineLength(FIRST_LINE)
                .setUseAlpn(false)
                .setAlpnVersions(List.of(HttpVersion.HTTP_1_1))
                .setHttp2ClearTextEnabled(false);
    }

    private static boolean isLoaded() {
        if (OpenSsl.isAvailable()) {
            return true;
        }
        LOG.warnf(
                "TLS is done by Java, which takes 1.5 to 2.6 times the CPU time, because BoringSSL's library cannot be loaded: %s",
                OpenSsl.unavailabilityCause().getMessage());
        return false;
    }

    void install(@Observes Router router) {
        router.route().order(ORDER).handler(this::use);
    }

    /** The other port may have begun to listen before. */
    void listens(@ObservesAsync HttpsServerStart start) {
        isListening = true;
    }

    /** Not ready while an API server could not connect: before the webhook listens, and while every connection is in use. */
    @Produces
    @Readiness
    @Singleton
    HealthCheck readiness() {
        return () -> HealthCheckResponse.named("room for connections")
                .status(isListening && !room.isFull())
                .build();
    }

    @Override
    public Runnable connects(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress address
                ? handshakes.begin(
                        address.getAddress().getHostAddress(), () -> close(channel, Why.UNFINISHED_HANDSHAKE))::end
                : () -> {};
    }

    @Override
    public void isConnected(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress address)) {
            return;
        }
        var place = room.enter(address.getAddress().getHostAddress(), why -> close(channel, why));
        var key = key(address.getAddress().getHostAddress(), address.getPort());
        open.put(key, place);
        channel.closeFuture().addListener(closed -> {
            open.remove(key, place);
            place.leave();
        });
        var _ = channel.eventLoop().schedule(place::expectUse, FIRST_REQUEST.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void use(RoutingContext request) {
        var address = request.request().remoteAddress();
        var place = open.get(key(address.hostAddress(), address.port()));
        if (place != null) {
            place.begin(!(CallerAuthentication.of(request) instanceof Unauthenticated));
            request.addEndHandler(end -> place.end());
        }
        request.next();
    }

    private void close(Channel channel, Why why) {
        closed(why).increment();
        closeNow(channel);
    }

    /** Also where somebody does not read: Vert.x' own way waits until all is written. */
    private static void closeNow(Channel channel) {
        var handler = channel.pipeline().context(VERTX);
        var _ = handler == null ? channel.close() : handler.close();
    }

    private Counter closed(Why why) {
        return Counter.builder("gitops.interlock.connections.closed")
                .description("Connections that were closed to keep the webhook open for others, by the reason")
                .tag("reason", why.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private static String key(String address, int port) {
        return address + " " + port;
    }
}
