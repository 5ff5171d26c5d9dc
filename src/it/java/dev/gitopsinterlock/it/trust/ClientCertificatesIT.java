package dev.gitopsinterlock.it.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.service.Certificates;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers that are told by their client certificates; the one whom all of them show has the name of the service. */
class ClientCertificatesIT {

    private static final String NAME = "gitops-interlock";

    private final KeyPair ca = Certificates.ec();

    @TempDir
    private Path folder;

    @Test
    void anApiServerThatShowsItsCertificateIsAnswered() throws IOException {
        try (var kubernetes = ControlPlane.start("--admission-control-config-file=" + admissionConfiguration());
                var interlock = asking(NAME, kubernetes.webhookCertificates()).start()) {
            Registration.webhooksOnly(kubernetes).of(interlock);
            kubernetes.createNamespace("shop");
            kubernetes
                    .kubectl("-n", "shop", "create", "job", "db-migrate", "--image=one")
                    .orFail();

            var refused = kubernetes.kubectl("-n", "shop", "set", "image", "job/db-migrate", "*=two");

            assertThat(refused.err()).contains("jobs.gitops-interlock.dev", "field is immutable");
            assertThat(interlock.log()).doesNotContain("not let in").doesNotContain("is not set");
        }
    }

    @Test
    void nobodyElseIsLetIn() throws Exception {
        try (var interlock = asking(NAME, MountedSecret.create().directory()).start()) {
            var known = client(ca);

            assertThat(ask(interlock, Optional.of(known))).hasValue(200);
            assertThat(ask(interlock, Optional.empty())).isEmpty();
            assertThat(ask(interlock, Optional.of(client(Certificates.ec())))).isEmpty();
            assertThat(interlock.log()).contains("a caller was not let in: its certificate is of none of the CAs in");
            assertThat(interlock.get("/q/health/live").statusCode()).isEqualTo(200);
        }
    }

    /** A cluster's CA signs certificates of everybody in it. */
    @Test
    void anotherNameOfTheSameCaIsNotLetIn() throws Exception {
        try (var interlock = asking(
                        "front-proxy-client,kube-apiserver",
                        MountedSecret.create().directory())
                .start()) {
            assertThat(ask(interlock, Optional.of(client(ca)))).isEmpty();
            assertThat(interlock.log())
                    .contains("a caller was not let in: its certificate has the name \"gitops-interlock\", accepted are"
                            + " [front-proxy-client, kube-apiserver]");
        }
    }

    @Test
    void anotherCaCountsWithoutARestart() throws Exception {
        try (var interlock = asking(NAME, MountedSecret.create().directory()).start()) {
            var next = Certificates.ec();
            var client = client(next);
            assertThat(ask(interlock, Optional.of(client))).isEmpty();

            Files.writeString(folder.resolve("ca.crt"), "no certificate");
            assertThat(ask(interlock, Optional.of(client(ca)))).hasValue(200);
            write(next);

            await("the new CA counts")
                    .untilAsserted(() ->
                            assertThat(ask(interlock, Optional.of(client))).hasValue(200));
            assertThat(ask(interlock, Optional.of(client(ca)))).isEmpty();
        }
    }

    @Test
    void withoutUsableCasItDoesNotStart() throws IOException {
        var builder = asking(NAME, MountedSecret.create().directory());
        Files.writeString(folder.resolve("ca.crt"), "no certificate");

        try (var interlock = builder.launch()) {
            assertThat(interlock.awaitExit()).isNotZero();
            assertThat(interlock.log())
                    .contains("error: gitops-interlock.client-certificates.ca-file: is no file with CA certificates")
                    .doesNotContain("\tat ");
        }
    }

    private Interlock.Builder asking(String names, Path certificates) throws IOException {
        write(ca);
        return Interlock.serving(certificates)
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .with(
                        "gitops-interlock.client-certificates.ca-file",
                        folder.resolve("ca.crt").toString())
                .with("gitops-interlock.client-certificates.names", names)
                .with("gitops-interlock.machine-configs.sync-hold", "Disabled");
    }

    private void write(KeyPair authority) throws IOException {
        Files.writeString(folder.resolve("ca.crt"), Certificates.pem(Certificates.authority(authority)));
    }

    /** A folder with tls.crt, which the authority signed, and tls.key. */
    private Path client(KeyPair authority) throws IOException {
        var keys = Certificates.ec();
        var client = Files.createTempDirectory(folder, "client");
        Files.writeString(
                client.resolve("tls.crt"),
                Certificates.pem(Certificates.certificate(
                        keys,
                        authority,
                        Instant.now().minus(1, DAYS),
                        Instant.now().plus(1, DAYS))));
        Files.writeString(client.resolve("tls.key"), Certificates.pkcs8Pem(keys.getPrivate()));
        return client;
    }

    /** As the documentation of API servers has it. */
    private Path admissionConfiguration() throws IOException {
        var client = client(ca);
        var kubeconfig = Files.writeString(folder.resolve("callers.kubeconfig"), """
                apiVersion: v1
                kind: Config
                users:
                  - name: "*"
                    user: {client-certificate: %1$s/tls.crt, client-key: %1$s/tls.key}
                """.formatted(client));
        return Files.writeString(folder.resolve("admission.yaml"), """
                apiVersion: apiserver.config.k8s.io/v1
                kind: AdmissionConfiguration
                plugins:
                  - name: MutatingAdmissionWebhook
                    configuration: &webhooks
                      apiVersion: apiserver.config.k8s.io/v1
                      kind: WebhookAdmissionConfiguration
                      kubeConfigFile: %s
                  - name: ValidatingAdmissionWebhook
                    configuration: *webhooks
                """.formatted(kubeconfig));
    }

    /** The status of the answer to a review on a connection of its own; empty where there is none. */
    private static Optional<Integer> ask(Interlock interlock, Optional<Path> shown) throws InterruptedException {
        var review = ReviewCase.named("wholeReviewFromArgoCd");
        try (var client = HttpClient.newBuilder()
                .sslContext(shown.map(Tls::client).orElseGet(Tls::context))
                .build()) {
            return Optional.of(client.send(
                            HttpRequest.newBuilder(URI.create(interlock.url() + review.path()))
                                    .header("Content-Type", "application/json")
                                    .POST(BodyPublishers.ofByteArray(Trees.bytes(review.review())))
                                    .build(),
                            BodyHandlers.ofString(UTF_8))
                    .statusCode());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
