package dev.gitopsinterlock.it.transport;

import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.service.Certificates;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The serving certificate while its Secret changes under the service. */
class CertificateIT {

    private final MountedSecret secret = MountedSecret.create();
    private Interlock interlock;

    @BeforeEach
    void start() {
        interlock = Interlock.serving(secret.directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .start();
    }

    @AfterEach
    void stop() {
        interlock.close();
    }

    @Test
    void aNewPairIsServedWithoutAFailedHandshake() throws Exception {
        var failures = new ConcurrentLinkedQueue<Exception>();
        var handshakes = new AtomicInteger();
        var going = new AtomicBoolean(true);
        try (var clients = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 2; i++) {
                clients.execute(() -> {
                    while (going.get()) {
                        try {
                            Tls.served(interlock.port());
                            handshakes.incrementAndGet();
                        } catch (IOException e) {
                            failures.add(e);
                        }
                    }
                });
            }
            for (var keys : List.of(Certificates.rsa(), Certificates.ec(), Certificates.rsa())) {
                var next = secret.update(keys).getSerialNumber();
                await("new certificate served").until(() -> served().equals(next));
            }
            going.set(false);
        }

        assertThat(failures).isEmpty();
        assertThat(handshakes).hasPositiveValue();
    }

    @Test
    void anOpenConnectionOutlivesItsCertificate() throws Exception {
        try (var open = Tls.connect(interlock.port())) {
            var next = secret.update(Certificates.rsa()).getSerialNumber();
            await("new certificate served").until(() -> served().equals(next));

            open.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));

            assertThat(open.getInputStream().read()).isEqualTo('H');
        }
    }

    @Test
    void whateverIsWrongWithTheFilesTheOldPairServesAndTheReasonIsSaid() throws Exception {
        var serving = served();
        var now = Instant.now();

        secret.update(Certificates.rsa(), Certificates.rsa(), now.minus(1, DAYS), now.plus(1, DAYS));
        assertRejected("mismatched", "tls.key in", serving);
        secret.update(Certificates.rsa(), now.minus(2, DAYS), now.minus(1, DAYS));
        assertRejected("expired", "the certificate expired at", serving);
        secret.update(Certificates.rsa(), now.plus(1, DAYS), now.plus(2, DAYS));
        assertRejected("not_yet_valid", "the certificate is not valid before", serving);
        secret.update("no", "certificate");
        assertRejected("unreadable", "is not PEM of a certificate chain and of its key", serving);
        secret.empty();
        assertRejected("missing", "does not exist", serving);

        var next = secret.update(Certificates.ec()).getSerialNumber();
        await("healed").until(() -> served().equals(next));
        assertThat(interlock.metrics()).doesNotContainPattern("certificate_rejected\\{reason=\"\\w+\"\\} 1");
    }

    private void assertRejected(String reason, String line, BigInteger serving) throws IOException {
        await("metric says " + reason)
                .until(() -> interlock.metrics().contains("certificate_rejected{reason=\"" + reason + "\"} 1"));
        assertThat(interlock.log()).contains(line, "still serving certificate " + serving.toString(16));
        assertThat(served()).isEqualTo(serving);
    }

    private BigInteger served() throws IOException {
        return Tls.served(interlock.port()).getSerialNumber();
    }
}
