package dev.gitopsinterlock.it.transport;

import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.service.Certificates;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the service says when it cannot start, what does not keep it from starting, and how it ends. */
class StartupIT {

    @Test
    void everyProblemIsListedWithItsPropertyAndNothingElse() {
        var interlock = Interlock.serving(Path.of("/nowhere"))
                .with("gitops-interlock.jobs.on-immutable-change", "Rejcet")
                .with("gitops-interlock.jobs.allow-overrides", "perhaps")
                .with("gitops-interlock.limits.body-deadline", "soon")
                .with("gitops-interlock.guidance.pages", "ftp://x")
                .launch();

        assertThat(interlock.awaitExit()).isEqualTo(1);
        assertThat(interlock.log())
                .contains(
                        "gitops-interlock cannot start:",
                        "error: gitops-interlock.jobs.on-immutable-change: must be one of Reject, Warn, Preview, Replace,",
                        "error: gitops-interlock.jobs.allow-overrides: must be true or false",
                        "error: gitops-interlock.limits.body-deadline: must be a duration",
                        "error: gitops-interlock.guidance.pages: must be an http or https address",
                        "error: gitops-interlock.certificate.directory: /nowhere/tls.crt does not exist")
                .doesNotContain("\tat ");
    }

    @Test
    void itsOrderlyEndIsNoError() {
        var interlock = Interlock.serving(MountedSecret.create().directory()).launch();
        interlock.awaitLive();

        interlock.close();

        assertThat(interlock.awaitExit()).isZero();
    }

    @Test
    void anExpiredCertificateIsServedWithAWarning() {
        var secret = MountedSecret.create();
        secret.update(
                Certificates.ec(), Instant.now().minus(2, DAYS), Instant.now().minus(1, DAYS));

        try (var interlock = Interlock.serving(secret.directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .start()) {
            assertThat(interlock.log())
                    .contains("warning: gitops-interlock.certificate.directory: the certificate expired at");
        }
    }

    @Test
    void anApiServerThatIsAwayKeepsItUnreadyAndAlive() {
        try (var interlock = Interlock.serving(MountedSecret.create().directory())
                .with("quarkus.kubernetes-client.api-server-url", "https://127.0.0.1:1")
                .launch()) {
            interlock.awaitLive();

            assertThat(interlock.get("/q/health/ready").statusCode()).isEqualTo(503);
        }
    }
}
