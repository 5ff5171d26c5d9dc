package dev.gitopsinterlock.it.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What any Pod can send to the port of health, metrics and pages, which has neither TLS nor tokens. */
class ManagementPortIT {

    private static final String TOKEN = "c4113rt0k3nf0rt3sts0";

    private static Interlock interlock;

    private final List<Socket> open = new ArrayList<>();

    @BeforeAll
    static void start() {
        interlock = Interlock.serving(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .with("gitops-interlock.caller-token", TOKEN)
                .start();
    }

    @AfterAll
    static void stop() {
        interlock.close();
    }

    @AfterEach
    void disconnect() throws IOException {
        for (var socket : open) {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/q/health", "/q/metrics", "/settings", "/guidance/", "/unknown"})
    void bodiesAreNotKept(String path) throws Exception {
        var piece = new byte[100_000];
        for (int i = 0; i < 12; i++) {
            var socket = connect();
            try {
                send(socket, "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 10400000\r\n\r\n");
                for (int sent = 0; sent + piece.length < 10_400_000; sent += piece.length) {
                    socket.getOutputStream().write(piece);
                }
            } catch (SocketException e) {
                // closed, as it should be
            }
        }

        assertThat(interlock.get("/q/health/live").statusCode()).isEqualTo(200);
        assertThat(interlock.heapAfterCollection()).isLessThan(40);
    }

    /** Those that were chosen and the defaults of the others. */
    @Test
    void settingsAreShownWithoutSecrets() {
        assertThat(Trees.json(interlock.get("/settings").body()).properties())
                .extracting(setting -> setting.getKey().replace("gitops-interlock.", "") + "="
                        + setting.getValue().textValue())
                .contains("jobs.allow-overrides=false", "jobs.on-immutable-change=Reject", "caller-token=(secret)")
                .noneMatch(setting -> setting.startsWith("additional-caller-token") || setting.contains(TOKEN));
    }

    @Test
    void onlyLookingIsAnswered() throws Exception {
        assertThat(answer("DELETE /q/health HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"))
                .startsWith("HTTP/1.1 405")
                .contains("llow: GET, HEAD");
        assertThat(answer("GET /q/health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 10400000\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
        assertThat(answer("HEAD /q/health/live HTTP/1.1\r\nHost: x\r\n\r\n")).startsWith("HTTP/1.1 200");
        assertThat(answer("GET /unknown HTTP/1.1\r\nHost: x\r\n\r\n")).startsWith("HTTP/1.1 404");
    }

    /** Each would be kept until the one before it is answered. */
    @Test
    void oneRequestIsAnsweredOnAConnection() throws Exception {
        var request = "GET /q/metrics HTTP/1.1\r\nHost: x\r\n\r\n";
        var all = new StringBuilder();
        try (var socket = connect()) {
            send(socket, request.repeat(20_000));
            for (var part = read(socket); !part.isEmpty(); part = read(socket)) {
                all.append(part);
            }
        } catch (SocketException e) {
            // what is not read ends it
        }

        assertThat(all.toString().split("HTTP/1.1 200", -1)).as("answers").hasSizeLessThanOrEqualTo(2);
        assertThat(interlock.heapAfterCollection()).isLessThan(40);
        assertThat(answer("GET /q/health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /q/health HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void http2IsNotSpoken() throws Exception {
        assertThat(
                        answer(
                                "GET /q/health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
        assertThat(answer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).contains(" 501 Not Implemented");
    }

    /** Neither those that send nothing nor those that never come to the end of their headers. */
    @ParameterizedTest
    @ValueSource(strings = {"", "GET /q/health HTTP/1.1\r\nX: "})
    void whoAsksForNothingKeepsNobodyOut(String beginning) throws Exception {
        for (int i = 0; i < 300; i++) {
            try {
                send(connect(), beginning);
            } catch (SocketException e) {
                // closed, as it should be
            }
        }

        assertThat(interlock.get("/q/health/live").statusCode()).isEqualTo(200);
        await("all closed").atMost(Patience.LIMIT).until(() -> open.stream().allMatch(Tls::isClosed));
    }

    @Test
    void longLinesAreRefused() throws Exception {
        assertThat(answer("GET /" + "x".repeat(10_000) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                .contains(" 414 ");
        assertThat(answer("GET / HTTP/1.1\r\nHost: x\r\nX: " + "x".repeat(30_000) + "\r\n\r\n"))
                .contains(" 431 ");
    }

    /** Each would stay for good, and with it its name. */
    @Test
    void noCallerMakesSeriesOfMetrics() throws Exception {
        answer("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        var before = interlock.metrics().lines().count();
        for (int i = 0; i < 30; i++) {
            answer("Z" + i + "ZQ /q/" + i + "ZQ HTTP/1.1\r\nHost: " + i + "ZQ\r\nUser-Agent: ZQ\r\n\r\n");
            try (var socket = Tls.connect(interlock.port())) {
                send(socket, "Z" + i + "ZQ /mutate/jobs/" + i + "ZQ HTTP/1.1\r\nHost: " + i + "ZQ\r\n\r\n");
                assertThat(read(socket)).startsWith("HTTP/1.1 4");
            }
        }

        assertThat(interlock.metrics()).doesNotContain("ZQ");
        assertThat(interlock.metrics().lines().count() - before).isLessThan(20);
    }

    @Test
    void nobodyWritesIntoTheLog() throws Exception {
        var before = interlock.log();
        answer("GET /\u001b[31mred HTTP/1.1\r\n\r\n");
        answer("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n");
        answer("GET / HTTP/1.1\r\n\r\n");
        answer("nonsense\r\n\r\n");
        var aborted = connect();
        send(aborted, "POST /aborted HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx");
        aborted.close();
        for (var path : List.of("/%zz", "/mutate/jobs/%zz", "/\u001b[31mred", "/q/health")) {
            for (var host : List.of("", "Host: x\r\n")) {
                try (var socket = Tls.connect(interlock.port())) {
                    send(socket, "POST " + path + " HTTP/1.1\r\n" + host + "Content-Length: 10\r\n\r\n");
                    assertThat(read(socket)).contains(" 4");
                }
            }
        }

        assertThat(interlock.log().substring(before.length())).isEmpty();
    }

    private Socket connect() throws IOException {
        var port = URI.create("http://" + interlock.management()).getPort();
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(5_000);
        open.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    /** What comes back first on a connection of its own; nothing where that is closed. */
    private String answer(String request) throws IOException {
        try (var socket = connect()) {
            send(socket, request);
            return read(socket);
        } catch (SocketException e) {
            return "";
        }
    }

    private static String read(Socket socket) throws IOException {
        var answer = new byte[1024];
        return new String(answer, 0, Math.max(0, socket.getInputStream().read(answer)), ISO_8859_1);
    }
}
