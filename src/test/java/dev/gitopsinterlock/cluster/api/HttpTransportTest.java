package dev.gitopsinterlock.cluster.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gitopsinterlock.cluster.api.Identity.Header;
import dev.gitopsinterlock.cluster.api.Identity.Impersonated;
import dev.gitopsinterlock.cluster.api.Identity.Impossible;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes over the wire, once, and what is made of odd answers. */
class HttpTransportTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicReference<String> seen = new AtomicReference<>("");
    private final CountDownLatch end = new CountDownLatch(1);
    private final HttpServer server;
    private final KubernetesClient client;
    private final HttpTransport transport;

    HttpTransportTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/json", exchange -> answer(exchange, 201, "{\"kind\": \"Job\"}"));
        server.createContext("/page", exchange -> answer(exchange, 502, "<html>bad gateway</html>"));
        server.createContext("/cut", exchange -> answer(exchange, 200, "{\"kind\": "));
        server.createContext("/busy", exchange -> answer(exchange, 503, "{}"));
        server.createContext("/silent", exchange -> await());
        server.createContext("/events", exchange -> begin(exchange, """
                        {"type": "MODIFIED", "object": {"spec": {"replicas": 3}}}
                        {"type": "DELETED", "object": {"spec": {"replicas": 4}}}
                        """));
        server.createContext("/quiet", exchange -> begin(exchange, "{\"type\": \"BOOKMARK\"}\n"));
        server.createContext("/ended", exchange -> answer(exchange, 200, "{\"type\": \"MODIFIED\"}\n"));
        server.createContext("/forbidden", exchange -> answer(exchange, 403, "{\"kind\": \"Status\"}\n"));
        server.createContext(
                "/expired",
                exchange -> answer(exchange, 200, "{\"type\": \"ERROR\", \"object\": {\"reason\": \"Expired\"}}\n"));
        server.setExecutor(task -> Thread.ofVirtual().start(task));
        server.start();
        var config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort() + "/")
                .withNamespace("gitops-interlock")
                .build();
        client = new KubernetesClientBuilder().withConfig(config).build();
        transport = new HttpTransport(client);
    }

    @AfterEach
    void close() {
        end.countDown();
        client.close();
        server.stop(0);
    }

    @Test
    void aBodyIsSentWithItsTypeAndInWhoseName() throws IOException {
        var begin = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        var carol = new Impersonated(List.of(new Header("Impersonate-User", "carol")));
        var answer = transport.send(
                new ApiRequest("POST", "/json?dryRun=All", "application/json", Trees.json("{'a': 1}"), carol, LONG));

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo(Trees.json("{'kind': 'Job'}"));
        assertThat(answer.date()).hasValueSatisfying(date -> assertThat(date).isBetween(begin, Instant.now()));
        assertThat(seen.get()).isEqualTo("POST /json?dryRun=All application/json carol {\"a\":1}");
    }

    @Test
    void withoutABodyTheTypeIsThatOfTheAnswer() throws IOException {
        get("/json");

        assertThat(seen.get()).startsWith("GET /json ").contains("null").endsWith(" ");
    }

    @Test
    void whatIsNoJsonIsNothing() throws IOException {
        assertThat(get("/page"))
                .extracting(ApiAnswer::status, ApiAnswer::body)
                .containsExactly(502, MissingNode.getInstance());
        assertThat(get("/cut"))
                .extracting(ApiAnswer::status, ApiAnswer::body)
                .containsExactly(200, MissingNode.getInstance());
    }

    @Test
    void aRefusalIsNotTriedAgain() throws IOException {
        assertThat(get("/busy").status()).isEqualTo(503);
        assertThat(requests).hasValue(1);
    }

    @Test
    void nobodyWaitsLongerThanTheirPatience() {
        assertThatThrownBy(() -> send("GET", "/silent", MissingNode.getInstance(), Duration.ofMillis(50)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("no answer to GET");
    }

    @Test
    void nothingIsSentInANameThatNobodyCanHave() {
        var request = new ApiRequest(
                "GET", "/json", "application/json", MissingNode.getInstance(), new Impossible("a reason"), LONG);

        assertThatThrownBy(() -> transport.send(request)).isInstanceOf(IllegalArgumentException.class);
        assertThat(requests).hasValue(0);
    }

    /** The answer of a watch has no end of its own. */
    @Test
    void aWatchGoesOnUntilTheAwaitedEvent() throws IOException {
        var deleted = watch("/events", LONG);

        assertThat(deleted)
                .hasValueSatisfying(
                        event -> assertThat(event.at("/object/spec/replicas")).isEqualTo(Trees.json("4")));
    }

    @Test
    void aWatchEndsWithoutTheAwaitedEventWhereTheServerOrThePatienceEnds() throws IOException {
        assertThat(watch("/ended", LONG)).isEmpty();
        assertThat(watch("/quiet", Duration.ofMillis(500))).isEmpty();
    }

    @Test
    void whatIsNoWatchIsAFailure() {
        assertThatThrownBy(() -> watch("/forbidden", LONG))
                .isInstanceOf(IOException.class)
                .hasMessage("no watch: HTTP status 403");
        assertThatThrownBy(() -> watch("/expired", LONG))
                .isInstanceOf(IOException.class)
                .hasMessage("watch ended: Expired");
    }

    @Test
    void theNamespaceIsThatOfTheClient() {
        assertThat(transport.ownNamespace()).isEqualTo("gitops-interlock");
    }

    private ApiAnswer get(String path) throws IOException {
        return send("GET", path, MissingNode.getInstance(), LONG);
    }

    private ApiAnswer send(String method, String path, JsonNode body, Duration patience) throws IOException {
        return transport.send(new ApiRequest(method, path, "application/json", body, Identity.OWN_ACCOUNT, patience));
    }

    private Optional<JsonNode> watch(String path, Duration patience) throws IOException {
        var request = new ApiRequest(
                "GET", path, "application/json", MissingNode.getInstance(), Identity.OWN_ACCOUNT, patience);
        return transport.watch(request, event -> event.path("type").asText().equals("DELETED"));
    }

    /** And says no more. */
    private void begin(HttpExchange exchange, String text) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(text.getBytes(UTF_8));
        exchange.getResponseBody().flush();
        await();
    }

    private void answer(HttpExchange exchange, int status, String body) throws IOException {
        requests.incrementAndGet();
        var headers = exchange.getRequestHeaders();
        seen.set("%s %s %s %s %s"
                .formatted(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI(),
                        headers.getFirst("Content-Type"),
                        headers.getFirst("Impersonate-User"),
                        new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
        var bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void await() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
