package dev.gitopsinterlock.testing.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The API server on a bad day, as the service sees it: a proxy that passes calls on, or does what it is told. */
public final class FaultyApiServer implements AutoCloseable {

    /** They belong to one connection, or the client sets them. */
    private static final Set<String> NOT_PASSED_ON =
            Set.of("connection", "content-length", "host", "upgrade", "http2-settings", "transfer-encoding", ":status");

    private final ControlPlane controlPlane;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().sslContext(Tls.context()).build();
    private final Map<Call, Fault> faults = new ConcurrentHashMap<>();
    private final Map<Call, Integer> counts = new ConcurrentHashMap<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private volatile long deletedAt;
    private volatile Duration pause = Duration.ZERO;
    private volatile CountDownLatch end = new CountDownLatch(1);

    private FaultyApiServer(ControlPlane controlPlane, HttpsServer server) {
        this.controlPlane = controlPlane;
        this.server = server;
    }

    /** What the service asks for. */
    public enum Call {
        ACCESS_REVIEW,
        DRY_RUN,
        DELETE,
        CREATE,
        GET,
        RETRIGGER,
        KEEP_INTENT,
        DROP_INTENT,
        OTHER;

        private static Call of(HttpExchange exchange) {
            var uri = exchange.getRequestURI();
            if (uri.getPath().endsWith("/subjectaccessreviews")) {
                return ACCESS_REVIEW;
            }
            if (uri.getPath().contains("/secrets")) {
                return switch (exchange.getRequestMethod()) {
                    case "POST" -> KEEP_INTENT;
                    case "DELETE" -> DROP_INTENT;
                    default -> OTHER;
                };
            }
            if (!uri.getPath().startsWith("/apis/batch/v1/") && !uri.getPath().startsWith("/apis/apps/v1/")) {
                return OTHER;
            }
            return switch (exchange.getRequestMethod()) {
                case "POST" -> uri.getQuery().contains("dryRun=All") ? DRY_RUN : CREATE;
                case "DELETE" -> DELETE;
                case "PATCH" -> RETRIGGER;
                default -> GET;
            };
        }
    }

    /** What becomes of a call. */
    @FunctionalInterface
    public interface Fault {

        void befall(Visit visit) throws IOException, InterruptedException;

        /** As the API server answers when it is overloaded or broken, or refuses. */
        static Fault answer(int status) {
            return visit -> visit.answer(status);
        }

        static Fault passOnAndClose() {
            return visit -> {
                visit.passOn();
                visit.close();
            };
        }

        /** No answer before the fault is over; the call is not passed on. */
        static Fault hang() {
            return Visit::hang;
        }

        /** An ordinary answer, once so many are there; or after a while, should they not come. */
        static Fault together(int calls) {
            var missing = new CountDownLatch(calls);
            return visit -> {
                missing.countDown();
                var _ = missing.await(5, TimeUnit.SECONDS);
                visit.answer(visit.passOn());
            };
        }

        /** An ordinary answer, once something else has happened. */
        static Fault after(Runnable event) {
            return visit -> {
                event.run();
                visit.answer(visit.passOn());
            };
        }

        /** An ordinary answer, but something else happens before it arrives. */
        static Fault before(Runnable event) {
            return visit -> {
                var response = visit.passOn();
                event.run();
                visit.answer(response);
            };
        }

        static Fault none() {
            return visit -> visit.answer(visit.passOn());
        }

        /** One for the first call, another one for those after it. */
        static Fault first(Fault first, Fault others) {
            var isFirst = new AtomicBoolean(true);
            return visit -> (isFirst.getAndSet(false) ? first : others).befall(visit);
        }

        /** Ordinary answers after so many calls. */
        default Fault times(int calls) {
            var left = new AtomicInteger(calls);
            return visit -> (left.getAndDecrement() > 0 ? this : none()).befall(visit);
        }
    }

    public static FaultyApiServer before(ControlPlane controlPlane) {
        try {
            var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(Tls.server(controlPlane.webhookCertificates())));
            var faulty = new FaultyApiServer(controlPlane, server);
            server.setExecutor(faulty.threads);
            server.createContext("/", faulty::handle);
            server.start();
            return faulty;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has a service talk to this one. */
    public Interlock.Builder behind(Interlock.Builder service) {
        return service.watching(controlPlane)
                .with(
                        "quarkus.kubernetes-client.api-server-url",
                        "https://127.0.0.1:" + server.getAddress().getPort())
                .with(
                        "quarkus.kubernetes-client.ca-cert-file",
                        controlPlane.webhookCertificates().resolve("ca.crt").toString());
    }

    public FaultyApiServer on(Call call, Fault fault) {
        faults.put(call, fault);
        return this;
    }

    /** A good day; lets go of what hangs, and counts anew. */
    public void recover() {
        faults.clear();
        counts.clear();
        begun.set(0);
        most.set(0);
        var over = end;
        end = new CountDownLatch(1);
        over.countDown();
    }

    /** How often it was asked for, whatever became of it. */
    public int count(Call call) {
        return counts.getOrDefault(call, 0);
    }

    /** How many Jobs were between their deletion and their creation at the same moment, at the most. */
    public int mostAtOnce() {
        return most.get();
    }

    /** Between the last deletion and the creation that followed. */
    public Duration pause() {
        return pause;
    }

    private void handle(HttpExchange exchange) throws IOException {
        var call = Call.of(exchange);
        counts.merge(call, 1, Integer::sum);
        if (call == Call.DELETE) {
            most.accumulateAndGet(begun.incrementAndGet(), Math::max);
        }
        if (call == Call.CREATE) {
            pause = Duration.ofNanos(System.nanoTime() - deletedAt);
        }
        var visit = new Visit(exchange, call, exchange.getRequestBody().readAllBytes());
        try {
            faults.getOrDefault(call, Fault.none()).befall(visit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            visit.close();
        }
    }

    /** One call and its caller. */
    public final class Visit {

        private final HttpExchange exchange;
        private final Call call;
        private final byte[] body;

        private Visit(HttpExchange exchange, Call call, byte[] body) {
            this.exchange = exchange;
            this.call = call;
            this.body = body;
        }

        HttpResponse<byte[]> passOn() throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(URI.create(controlPlane.server() + exchange.getRequestURI()))
                    .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (isPassedOn(name)) {
                    values.forEach(value -> request.header(name, value));
                }
            });
            var response = client.send(request.build(), BodyHandlers.ofByteArray());
            if (call == Call.DELETE) {
                deletedAt = System.nanoTime();
            }
            if (call == Call.CREATE && response.statusCode() == 201) {
                begun.decrementAndGet();
            }
            return response;
        }

        void answer(HttpResponse<byte[]> response) throws IOException {
            response.headers().map().forEach((name, values) -> {
                if (isPassedOn(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            answer(response.statusCode(), response.body());
        }

        void answer(int status) throws IOException {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.getResponseHeaders().set("Retry-After", "1");
            answer(status, """
                    {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": %d,
                     "reason": "AsTold", "message": "not today"}""".formatted(status).getBytes(UTF_8));
        }

        private void answer(int status, byte[] text) throws IOException {
            exchange.sendResponseHeaders(status, text.length == 0 ? -1 : text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        }

        /** Without an answer, that closes the connection. */
        void close() {
            exchange.close();
        }

        void hang() throws InterruptedException {
            end.await();
            close();
        }

        private static boolean isPassedOn(String header) {
            return !NOT_PASSED_ON.contains(header.toLowerCase(Locale.ROOT));
        }
    }

    @Override
    public void close() {
        recover();
        server.stop(0);
        threads.shutdownNow();
        client.close();
    }
}
