package dev.gitopsinterlock.it.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections that nobody uses. */
class IdleConnectionsIT {

    private final Interlock interlock = Interlock.serving(MountedSecret.create().directory())
            .with("gitops-interlock.jobs.allow-overrides", "false")
            .start();

    private final List<Socket> idle = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        for (var socket : idle) {
            socket.close();
        }
        interlock.close();
    }

    @Test
    void lockNobodyOut() throws Exception {
        try (var apiServer = Tls.connect(interlock.port())) {
            assertThat(ask(apiServer)).startsWith("HTTP/1.1 200");
            connect(300);

            assertThat(ask(apiServer)).startsWith("HTTP/1.1 200");
            try (var another = Tls.connect(interlock.port())) {
                assertThat(ask(another)).startsWith("HTTP/1.1 200");
            }
        }
        assertThat(interlock.get("/q/health/ready").statusCode()).isEqualTo(200);
        assertThat(interlock.metrics())
                .containsPattern("gitops_interlock_connections_closed_total\\{reason=\"address_full\"\\} [1-9]");
    }

    @Test
    void areClosedLongBeforeTheIdleTimeout() throws Exception {
        connect(10);

        await("closed")
                .atMost(Patience.LIMIT)
                .until(() -> interlock.metrics().contains("gitops_interlock_connections 0.0"));

        assertThat(interlock.metrics())
                .contains("gitops_interlock_connections_closed_total{reason=\"no_request\"} 10.0");
    }

    static Stream<Named<byte[]>> beginnings() throws SSLException {
        return Stream.of(
                Named.of("a record's first bytes", new byte[] {22, 3, 1}),
                Named.of("the client's first message", Tls.clientHello()));
    }

    /** Each takes memory: 19,000 at once end the process, where none is closed. */
    @ParameterizedTest
    @MethodSource("beginnings")
    void thatNeverFinishTheirHandshakeAreClosed(byte[] beginning) throws Exception {
        for (int i = 0; i < 3000; i++) {
            try {
                var socket = new Socket(InetAddress.getLoopbackAddress(), interlock.port());
                idle.add(socket);
                socket.getOutputStream().write(beginning);
            } catch (SocketException e) {
                // closed, as it should be
            }
        }

        await("answer, once what came before is looked through")
                .atMost(Patience.LIMIT)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> {
                    try (var apiServer = Tls.connect(InetAddress.getByName("127.0.0.2"), interlock.port())) {
                        return ask(apiServer).startsWith("HTTP/1.1 200");
                    }
                });
        assertThat(interlock.process().isAlive()).isTrue();
        assertThat(interlock.get("/q/health/ready").statusCode()).isEqualTo(200);
        assertThat(interlock.metrics())
                .containsPattern(
                        "gitops_interlock_connections_closed_total\\{reason=\"unfinished_handshake\"\\} [1-9]");
    }

    /** It opens more than it needs at first. */
    @Test
    void areLeftToAnApiServer() throws Exception {
        try (var apiServer = Tls.connect(interlock.port())) {
            assertThat(ask(apiServer)).startsWith("HTTP/1.1 200");
            connect(10);
            idle.add(Tls.connect(InetAddress.getByName("127.0.0.2"), interlock.port()));
            await("the stranger's, which was opened last, closed")
                    .atMost(Patience.LIMIT)
                    .until(() -> interlock
                            .metrics()
                            .contains("gitops_interlock_connections_closed_total{reason=\"no_request\"} 1.0"));

            for (var socket : idle.subList(0, 10)) {
                assertThat(ask((SSLSocket) socket)).startsWith("HTTP/1.1 200");
            }
        }
    }

    private void connect(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            idle.add(Tls.connect(interlock.port()));
        }
    }

    /** The beginning of the answer, on this connection, which stays open. */
    private static String ask(SSLSocket socket) throws IOException {
        var review = Reviews.update(Jobs.finished(), Jobs.finished()).toString().getBytes(UTF_8);
        socket.getOutputStream()
                .write(("POST /mutate/jobs/" + Interlock.TOKEN
                                + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                                + review.length + "\r\n\r\n")
                        .getBytes(UTF_8));
        socket.getOutputStream().write(review);
        socket.setSoTimeout(30_000);
        var answer = new byte[16 * 1024];
        return new String(answer, 0, Math.max(0, socket.getInputStream().read(answer)), UTF_8);
    }
}
