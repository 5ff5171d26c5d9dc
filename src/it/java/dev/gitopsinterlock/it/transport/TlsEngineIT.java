package dev.gitopsinterlock.it.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose code encrypts, and that it serves every key and survives every client, whoever's it is. */
class TlsEngineIT {

    private final MountedSecret secret = MountedSecret.create();

    @Test
    void isBoringSslWithoutAWordOfTheJvm() throws IOException {
        try (var interlock = serving("BoringSSL").start()) {
            Tls.connect(interlock.port()).close();

            assertThat(hasLibrary(interlock)).isTrue();
            assertThat(interlock.log()).doesNotContain("WARN");
        }
    }

    @Test
    void isJavaWhereItIsChosen() throws IOException {
        try (var interlock = serving("JDK").start()) {
            Tls.connect(interlock.port()).close();

            assertThat(hasLibrary(interlock)).isFalse();
            assertThat(interlock.log()).doesNotContain("WARN");
        }
    }

    /** As where there is no place to write it to, or no library for this processor. */
    @Test
    void isJavaWithOneLineWhereTheLibraryCannotBeLoaded() throws IOException {
        try (var interlock = serving("BoringSSL")
                .withJvmFlag("-Dio.netty.native.workdir=/proc/self/fdinfo")
                .start()) {
            Tls.connect(interlock.port()).close();

            assertThat(hasLibrary(interlock)).isFalse();
            assertThat(interlock.log().lines().filter(line -> line.contains("WARN")))
                    .singleElement()
                    .asString()
                    .contains("TLS is done by Java")
                    .contains("BoringSSL's library cannot be loaded");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BoringSSL", "JDK"})
    void servesKeysOfEveryKind(String engine) throws Exception {
        try (var interlock = serving(engine).start()) {
            for (var keys : List.of(keys("EC", 384), keys("EC", 521), keys("RSA", 3072), keys("EC", 256))) {
                var next = secret.update(keys).getSerialNumber();
                await("served " + keys.getPublic().getAlgorithm())
                        .until(() ->
                                Tls.served(interlock.port()).getSerialNumber().equals(next));
                try (var connection = Tls.connect(interlock.port())) {
                    assertThat(connection.getSession().getProtocol()).isEqualTo("TLSv1.3");
                    assertIsAnswered(connection);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BoringSSL", "JDK"})
    void endsWithBadClientsOnlyTheirConnections(String engine) throws Exception {
        try (var interlock = serving(engine).start();
                var good = Tls.connect(interlock.port())) {
            assertIsAnswered(good);
            var hello = Tls.clientHello();
            var half = Arrays.copyOf(hello, hello.length / 2);
            var turned = hello.clone();
            for (int i = 20; i < turned.length; i += 7) {
                turned[i] ^= 0x55;
            }
            for (var bytes : List.of(
                    "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8),
                    record(22, 0xffff, 16),
                    record(23, 64, 64),
                    record(20, 1, 1),
                    turned,
                    concat(hello, record(23, 64, 64)),
                    concat(hello, hello),
                    concat(hello, "x".repeat(40_000).getBytes(UTF_8)))) {
                assertThat(isClosedAfter(plain(interlock), bytes)).isTrue();
            }
            try (var leaving = plain(interlock)) {
                leaving.getOutputStream().write(half);
            }
            for (var bytes : List.of(record(23, 64, 64), record(22, 64, 64), record(23, 0x4200, 2000), hello)) {
                var below = plain(interlock);
                handshake(below, interlock.port());
                // what comes now was encrypted by nobody
                assertThat(isClosedAfter(below, bytes)).isTrue();
            }

            assertIsAnswered(good);
            assertIsAnswered(Tls.connect(interlock.port()));
            assertThat(interlock.log()).doesNotContain("\tat ").doesNotContain("ERROR");
        }
    }

    private Interlock.Builder serving(String engine) {
        return Interlock.serving(secret.directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .with("gitops-interlock.machine-configs.sync-hold", "Disabled")
                .with("gitops-interlock.tls.engine", engine);
    }

    private static boolean hasLibrary(Interlock interlock) throws IOException {
        return Files.readString(
                        Path.of("/proc", Long.toString(interlock.process().pid()), "maps"))
                .contains("netty_tcnative");
    }

    private static KeyPair keys(String algorithm, int size) throws Exception {
        var generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(size);
        return generator.generateKeyPair();
    }

    private static void assertIsAnswered(SSLSocket connection) throws IOException {
        connection.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
        // an answer is one record
        var answer = new byte[8192];
        int length = connection.getInputStream().read(answer);
        assertThat(length).isPositive();
        assertThat(new String(answer, 0, length, UTF_8)).startsWith("HTTP/1.1 404");
    }

    private static Socket plain(Interlock interlock) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), interlock.port());
    }

    private static void handshake(Socket below, int port) throws IOException {
        var above = (SSLSocket) Tls.context().getSocketFactory().createSocket(below, "localhost", port, false);
        above.startHandshake();
        assertIsAnswered(above);
    }

    /** Sends it again until the other side ends the connection: some of it is only the beginning of a record. */
    private static boolean isClosedAfter(Socket socket, byte[] bytes) throws IOException {
        try (socket) {
            socket.setSoTimeout(100);
            for (int i = 0; i < 300; i++) {
                socket.getOutputStream().write(bytes);
                try {
                    while (socket.getInputStream().read() >= 0) {
                        // an alert, or the rest of what was sent before
                    }
                    return true;
                } catch (SocketTimeoutException e) {
                    // not yet
                }
            }
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    /** One whose header says another length than it has, perhaps. */
    private static byte[] record(int type, int length, int bytes) {
        var whole = new byte[5 + bytes];
        Arrays.fill(whole, (byte) 0x5a);
        whole[0] = (byte) type;
        whole[1] = 3;
        whole[2] = 3;
        whole[3] = (byte) (length >> 8);
        whole[4] = (byte) length;
        return whole;
    }

    private static byte[] concat(byte[] first, byte[] second) {
        var all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
