package dev.gitopsinterlock.it.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Manifests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Who reads the caller token while the service does not answer: the path is part of the URL, and the API server's error
 * has the whole URL. What is asserted here is what SECURITY.md and the chart's README say; it is not what anybody wants.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenLeakIT {

    private ControlPlane kubernetes;
    private Registration registration;

    @BeforeAll
    void start() {
        kubernetes = ControlPlane.start();
        registration = Registration.webhooksOnly(kubernetes);
        // an ordinary user, who may not read webhook configurations
        kubernetes
                .kubectl("create", "clusterrolebinding", "carol", "--clusterrole=edit", "--user=carol")
                .orFail();
    }

    @AfterAll
    void end() {
        kubernetes.close();
    }

    @ParameterizedTest(name = "{0}, nobody {1}")
    @CsvSource({"Fail, listens, true", "Fail, answers, true", "Ignore, listens, false", "Ignore, answers, false"})
    void theTokenIsReadBy(String failurePolicy, String nobody, boolean isReadByTheUser) throws IOException {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var port = nobody.equals("listens") ? 1 : silent.getLocalPort();
            var shop = Workspace.in(kubernetes, "leak");
            var before = lines();
            registration.at("https://127.0.0.1:" + port, failurePolicy);

            await("webhook in force").untilAsserted(() -> {
                shop.kubectl("create", "--as=carol", "--dry-run=server", "-f", shop.file(Manifests.JOB));
                assertThat(log().lines().skip(before)).anyMatch(line -> line.contains("jobs.gitops-interlock.dev"));
            });
            var answer = shop.kubectl("create", "--as=carol", "-f", shop.file(Manifests.JOB));

            assertThat(answer.exitCode() != 0).isEqualTo(isReadByTheUser);
            assertThat(answer.text().contains(Interlock.TOKEN)).isEqualTo(isReadByTheUser);
            assertThat(log().lines().skip(before)).anyMatch(line -> line.contains(Interlock.TOKEN));
            assertThat(Files.readAllLines(kubernetes.auditLog()).stream()
                            .filter(line -> line.contains("\"namespace\":\"" + shop.namespace() + "\""))
                            .anyMatch(line -> line.contains(Interlock.TOKEN)))
                    .as("the audit log has the answer")
                    .isEqualTo(isReadByTheUser);
            assertThat(kubernetes
                            .kubectl("get", "mutatingwebhookconfigurations", "--as=carol")
                            .err())
                    .contains("forbidden");
        }
    }

    private long lines() throws IOException {
        return log().lines().count();
    }

    private String log() throws IOException {
        return Files.readString(kubernetes.apiServerLog());
    }
}
