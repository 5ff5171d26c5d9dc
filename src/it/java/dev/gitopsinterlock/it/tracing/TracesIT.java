package dev.gitopsinterlock.it.tracing;

import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static dev.gitopsinterlock.testing.text.Manifests.policy;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.it.tracing.Collector.Received;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.run.Ports;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import dev.gitopsinterlock.testing.text.Manifests;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a collector gets of the reviews that the API server traces, and what it costs where there is no collector. */
class TracesIT {

    private static final String JOB = policy(Manifests.JOB, "on-immutable-change", "Replace");
    private static final String SERVICE = "gitops-interlock";

    @TempDir
    private Path folder;

    /** Both send to one collector, so that our spans' parents can be looked for among the API server's. */
    @Test
    void theApiServersSpanOfAReplacementGoesOnInOurs() throws IOException {
        try (var collector = new Collector();
                var kubernetes = ControlPlane.start("--tracing-config-file=" + tracing(collector))) {
            var registration = Registration.withRights(kubernetes, "rbac-service-account");
            try (var interlock = Interlock.serving(kubernetes.webhookCertificates())
                    .watching(kubernetes)
                    .with("gitops-interlock.replacement.as", "ServiceAccount")
                    .with("gitops-interlock.tracing.endpoint", "http://" + collector.address())
                    .start()) {
                registration.of(interlock);
                var shop = Workspace.in(kubernetes, "traces");
                shop.apply(JOB);
                shop.awaitComplete("db-migrate");
                shop.apply(edited(JOB));
                await("spans of the replacement").atMost(Patience.LIMIT).until(() -> isThere(collector));
            }

            var spans = collector.spansOf(SERVICE);
            var effect = spans.stream()
                    .filter(span -> span.name().equals("replace_job"))
                    .findFirst()
                    .orElseThrow();
            var review = parent(spans, effect);
            assertThat(review.name()).isEqualTo("mutate-jobs");
            assertThat(review.attributes())
                    .containsEntry("gitops-interlock.kind", "Job")
                    .containsEntry("gitops-interlock.name", "db-migrate")
                    .containsEntry("gitops-interlock.verdict", "allowed")
                    .containsKey("gitops-interlock.uid");
            assertThat(effect.attributes())
                    .containsEntry("gitops-interlock.tool", "kubectl")
                    .containsEntry("gitops-interlock.outcome", "done");

            assertThat(names(spans, review)).containsExactly("read", "rule", "replace_job");
            assertThat(names(spans, effect))
                    .containsExactly("look", "rights", "trial", "intent", "delete", "settle", "create", "DELETE");
            var deletion = spans.stream()
                    .filter(span ->
                            span.attributes().getOrDefault("url.path", "").endsWith("/jobs/db-migrate"))
                    .filter(span -> span.name().equals("DELETE"))
                    .findFirst()
                    .orElseThrow();
            assertThat(parent(spans, deletion).name()).isEqualTo("delete");
            assertThat(deletion.attributes()).containsEntry("http.response.status_code", "200");
            await("the API server's span")
                    .atMost(Patience.LIMIT)
                    .untilAsserted(() -> assertThat(collector.spansOf("apiserver"))
                            .anySatisfy(theirs -> {
                                assertThat(theirs.id()).isEqualTo(review.parent());
                                assertThat(theirs.trace()).isEqualTo(review.trace());
                            }));
            assertThat(spans.toString()).doesNotContain("registry.example").doesNotContain(Interlock.TOKEN);
        }
    }

    private static boolean isThere(Collector collector) {
        return collector.spansOf(SERVICE).stream().anyMatch(span -> span.name().equals("replace_job"));
    }

    private static Received parent(List<Received> spans, Received child) {
        return spans.stream()
                .filter(span -> span.id().equals(child.parent()))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(List<Received> spans, Received parent) {
        return spans.stream()
                .filter(span -> span.parent().equals(parent.id()))
                .map(Received::name)
                .toList();
    }

    @Test
    void theApiServerDecidesWhichReviewsAreFollowed() throws Exception {
        try (var collector = new Collector();
                var interlock = unconnected("http://" + collector.address())
                        .with("otel.exporter.otlp.headers", "authorization=Bearer%20of-the-test")
                        .start()) {
            assertThat(ask(interlock, "1", "00")).isEqualTo(200);
            assertThat(ask(interlock, "2", "01")).isEqualTo(200);

            await("a span")
                    .atMost(Patience.LIMIT)
                    .untilAsserted(() -> assertThat(collector.spansOf(SERVICE))
                            .extracting(Received::name)
                            .containsExactly("mutate-jobs", "read", "rule"));
            assertThat(collector.spansOf(SERVICE))
                    .allSatisfy(span -> assertThat(span.trace()).isEqualTo("2".repeat(32)));
            assertThat(collector.spansOf(SERVICE).getFirst().attributes())
                    .containsEntry("gitops-interlock.verdict", "denied")
                    .containsEntry("gitops-interlock.reason", "immutable")
                    .containsEntry("gitops-interlock.code", "ArgoCdJobEdit")
                    .containsEntry("gitops-interlock.tool", "argocd");
            assertThat(collector.header("authorization")).isEqualTo("Bearer of-the-test");
        }
    }

    /** Nobody listens there. */
    @Test
    void aCollectorThatIsDownCostsOneLine() throws Exception {
        var classes = folder.resolve("classes.log");
        try (var interlock = unconnected("http://127.0.0.1:" + Ports.free())
                .withJvmFlag("-Xlog:class+load:file=" + classes)
                .start()) {
            for (int i = 0; i < 20; i++) {
                assertThat(ask(interlock, "3", "01")).isEqualTo(200);
            }

            await("a complaint")
                    .atMost(Patience.LIMIT)
                    .until(() -> interlock.log().contains("traces are lost"));
            assertThat(interlock.log().lines().filter(line -> line.contains("traces are lost")))
                    .singleElement()
                    .asString()
                    .contains(" WARN ");
            assertThat(interlock.log()).doesNotContain("Exception");
            // that it is seen here makes the next test one that can fail
            assertThat(classes).content().contains(" io.opentelemetry.sdk.");
        }
    }

    @Test
    void withoutACollectorNothingOfOpenTelemetryIsLoaded() throws Exception {
        var classes = folder.resolve("classes.log");
        try (var interlock = unconnected("")
                .without("gitops-interlock.tracing.endpoint")
                .withJvmFlag("-Xlog:class+load:file=" + classes)
                .start()) {
            assertThat(ask(interlock, "4", "01")).isEqualTo(200);
        }
        assertThat(classes)
                .content()
                .contains(" dev.gitopsinterlock.tracing.CurrentSpan ")
                .doesNotContain(" io.opentelemetry.");
    }

    private static Interlock.Builder unconnected(String endpoint) {
        return Interlock.serving(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .with("gitops-interlock.machine-configs.sync-hold", "Disabled")
                .with("gitops-interlock.tracing.endpoint", endpoint);
    }

    /** The status of the answer to a review that belongs to a trace. */
    private static int ask(Interlock interlock, String digit, String flags) throws IOException, InterruptedException {
        var review = ReviewCase.named("wholeReviewFromArgoCd");
        try (var client = HttpClient.newBuilder().sslContext(Tls.context()).build()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(interlock.url() + review.path() + "/" + Interlock.TOKEN))
                                    .header("Content-Type", "application/json")
                                    .header(
                                            "traceparent",
                                            "00-%s-%s-%s".formatted(digit.repeat(32), digit.repeat(16), flags))
                                    .timeout(Duration.ofMinutes(1))
                                    .POST(BodyPublishers.ofByteArray(Trees.bytes(review.review())))
                                    .build(),
                            BodyHandlers.ofString(UTF_8))
                    .statusCode();
        }
    }

    private Path tracing(Collector collector) throws IOException {
        return Files.writeString(folder.resolve("tracing.yaml"), """
                apiVersion: apiserver.config.k8s.io/v1
                kind: TracingConfiguration
                endpoint: %s
                samplingRatePerMillion: 1000000
                """.formatted(collector.address()));
    }
}
