package dev.gitopsinterlock.it.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Senders that begin a large body and never end it. */
class SlowSenderIT {

    private static final int MEBI = 1024 * 1024;

    /** The idle timeout never ends a sender of one byte at a time. */
    @Test
    void slowSendersAreCutOffAndCostNoMemory() throws Exception {
        try (var interlock = Interlock.serving(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .with("gitops-interlock.limits.body-deadline", "1s")
                .start()) {
            var before = residentMebi(interlock);
            var senders = new ArrayList<SSLSocket>();
            for (int i = 0; i < 40; i++) {
                var socket = Tls.connect(interlock.port());
                senders.add(socket);
                socket.getOutputStream()
                        .write(
                                ("POST /mutate/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                                                + 7 * MEBI + "\r\n\r\n")
                                        .getBytes(UTF_8));
            }

            for (var socket : senders) {
                await("cut off")
                        .pollInterval(Duration.ofMillis(50))
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> isCutOff(socket));
            }

            assertThat(residentMebi(interlock) - before).isLessThan(60);
            assertThat(interlock.metrics()).containsPattern("malformed_requests_total\\{fault=\"too_slow\"\\} [1-9]");
        }
    }

    /** More of them than there is room for, were it set aside for what they may send. */
    @Test
    void slowSendersKeepNobodyWaiting() throws Exception {
        try (var interlock = Interlock.serving(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                // whoever waited for them would wait longer than any answer may take
                .with("gitops-interlock.limits.body-deadline", "10m")
                .start()) {
            var senders = new ArrayList<SSLSocket>();
            for (int i = 0; i < 16; i++) {
                var socket = Tls.connect(interlock.port());
                senders.add(socket);
                var first = "x".repeat(256 * 1024);
                socket.getOutputStream()
                        .write(
                                ("POST /mutate/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                                                + Integer.toHexString(first.length()) + "\r\n" + first + "\r\n")
                                        .getBytes(UTF_8));
            }
            var job = Jobs.finished();
            var large = Reviews.update(job, Jobs.with(job, "/spec/template/spec/containers/0/image", "x".repeat(MEBI)));

            var answer = interlock.post("/mutate/jobs", "application/json", large.toString());

            assertThat(answer.statusCode()).isEqualTo(200);
            for (var socket : senders) {
                socket.close();
            }
        }
    }

    private static boolean isCutOff(SSLSocket socket) {
        try {
            socket.getOutputStream().write('x');
            return Tls.isClosed(socket);
        } catch (IOException e) {
            return true;
        }
    }

    private static long residentMebi(Interlock interlock) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + interlock.process().pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }
}
