package dev.gitopsinterlock.tools.chart;

import static dev.gitopsinterlock.testing.text.Manifests.plain;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.policy.BreakGlass;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Prometheus;
import dev.gitopsinterlock.testing.client.Prometheus.Target;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.OthersWebhook;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.run.Ports;
import dev.gitopsinterlock.testing.service.Cable;
import dev.gitopsinterlock.testing.service.Certificates;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Every alert fires in the trouble that it is about, and ends with it: a real Prometheus with the chart's rules reads the
 * real service and the real API server. In the rules a minute takes a second, and a rollout may be held for one second;
 * nothing else about them is changed. What an error of ours raises is left to promtool: nobody can cause one from outside.
 * The order saves time alone: a share of few answers changes sooner.
 */
@RequiresTools(
        value = {"helm4", "prometheus"},
        definitions = {"openshift", "argocd"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class AlertsToolsIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";
    private static final int NODES = 8;
    private static final String TRUST = "south-trust";

    private final ScheduledExecutorService clients =
            Executors.newScheduledThreadPool(4, Thread.ofPlatform().daemon().factory());

    private ControlPlane kubernetes;
    private Registration registration;
    private Cable cable;
    private MountedSecret secret;
    private Interlock north;
    private Interlock south;
    private OpenShiftCluster cluster;
    private Prometheus prometheus;

    @BeforeAll
    void start() throws IOException {
        kubernetes = ControlPlane.start();
        kubernetes.addDefinitionsOf("openshift");
        var applications = Applications.in(kubernetes, "argocd");
        cable = Cable.to(kubernetes.server());
        registration = Registration.in(kubernetes);
        secret = MountedSecret.of(serving());
        north = Interlock.serving(secret.directory())
                .watching(kubernetes)
                .with("quarkus.kubernetes-client.api-server-url", cable.url())
                .launch();
        south = withoutRights();
        north.awaitReady();
        registration.of(north);
        cluster = OpenShiftCluster.of(kubernetes, north, applications);
        cluster.rendered(OLD);
        cluster.rendered(NEW);
        cluster.pool("worker", NEW, "{}");
        applications.create("payments");
        mayReadMetrics();
        prometheus = Prometheus.start(
                rules(),
                pods(north, "north"),
                pods(south, "south"),
                new Target.ApiServer(
                        kubernetes.server(),
                        kubernetes.caFile(),
                        kubernetes.token("monitoring", "prometheus"),
                        "apiserver_admission_webhook_.+",
                        Map.of("cluster", "north")));
    }

    @AfterAll
    void end() {
        clients.shutdownNow();
        prometheus.close();
        south.close();
        north.close();
        cable.close();
        kubernetes.close();
    }

    @BeforeEach
    void noNodeIsSentYet() {
        for (int node = 0; node < NODES; node++) {
            cluster.node("worker-" + node, OLD, "worker");
        }
    }

    /** In the north a rotation goes wrong, a rollout is held and a Job is lost; the south has hardly any rights. */
    @Test
    @Order(2)
    void whatIsWrongWithAReplica() throws IOException {
        var shop = Workspace.in(kubernetes, "shop");
        shop.onImmutableChange("Replace");
        shop.apply(plain("migrate", "1.0"));
        shop.awaitComplete("migrate");
        secret.update("no", "certificate");
        cluster.applications().startSync("payments");
        cluster.awaitHeld("worker-0", NEW);
        try (var _ = OthersWebhook.denyingForReal(kubernetes, shop.namespace(), "not today")) {
            assertThat(shop.kubectl("apply", "-f", shop.file(plain("migrate", "1.1")))
                            .err())
                    .contains("Job migrate was deleted, not recreated");
        }

        assertThat(fires("GitopsInterlockCertificateRejected", "north")).containsEntry("reason", "unreadable");
        fires("GitopsInterlockRolloutHeldTooLong", "north");
        fires("GitopsInterlockObjectGone", "north");
        fires("GitopsInterlockNotTrusted", "south");
        assertThat(fires("GitopsInterlockGateOpen", "south")).containsKey("cache");

        secret.update(serving());
        cluster.applications().endSync("payments");
        giveRights();
        ends("GitopsInterlockCertificateRejected", "north");
        ends("GitopsInterlockRolloutHeldTooLong", "north");
        ends("GitopsInterlockNotTrusted", "south");
        ends("GitopsInterlockGateOpen", "south");
        ends("GitopsInterlockObjectGone", "north");
    }

    /** A replica that hangs: Kubernetes answers without it. */
    @Test
    @Order(4)
    void nobodyAnswersUnderIgnore() {
        registration.of(north.url(), 1, north);
        try (var _ = newJobs()) {
            north.standStill();
            try {
                fires("GitopsInterlockNoReplica", "north");
                assertThat(prometheus.awaitFiring(
                                "GitopsInterlockNotReached", "cluster=north", "name=jobs.gitops-interlock.dev"))
                        .containsEntry("namespace", "gitops-interlock");
                assertThat(prometheus.awaitFiring(
                                "GitopsInterlockErrorBudgetBurns", "cluster=north", "seen_by=apiserver", "window=1h"))
                        .containsEntry("namespace", "gitops-interlock");
                assertThat(prometheus.firing("GitopsInterlockRequestsBlocked")).isEmpty();
            } finally {
                north.goOn();
            }
            ends("GitopsInterlockNoReplica", "north");
            ends("GitopsInterlockNotReached", "north");
            prometheus.awaitOver("GitopsInterlockErrorBudgetBurns", "window=1h");
        }
        registration.of(north);
    }

    /** Nobody listens: what is guarded is refused. */
    @Test
    @Order(3)
    void nobodyAnswersUnderFail() {
        try (var _ = newJobs()) {
            registration.at("https://127.0.0.1:" + Ports.free(), "Fail");
            assertThat(prometheus.awaitFiring(
                            "GitopsInterlockRequestsBlocked", "cluster=north", "name=jobs.gitops-interlock.dev"))
                    .containsEntry("namespace", "gitops-interlock")
                    .containsEntry("severity", "critical");

            registration.of(north);
            ends("GitopsInterlockRequestsBlocked", "north");
        }
    }

    /** The API server does not say when the rollout's target was made, and each Node waits for that. */
    @Test
    @Order(1)
    void answersTakeLong() {
        cluster.applications().startSync("payments");
        cluster.awaitHeld("worker-0", NEW);
        cable.block();
        try {
            CompletableFuture.allOf(Stream.iterate(0, node -> node + 1)
                            .limit(NODES)
                            .map(node -> CompletableFuture.runAsync(
                                    () -> cluster.send("worker-" + node, NEW),
                                    Executors.newVirtualThreadPerTaskExecutor()))
                            .toArray(CompletableFuture[]::new))
                    .join();

            assertThat(prometheus.awaitFiring("GitopsInterlockSlow", "cluster=north", "window=1h"))
                    .containsEntry("namespace", "gitops-interlock");
        } finally {
            cable.mend();
            cluster.applications().endSync("payments");
        }
        prometheus.awaitOver("GitopsInterlockSlow", "window=1h");
    }

    @Test
    @Order(5)
    void theCertificateIsNearItsEnd() throws IOException {
        var now = Instant.now();
        secret.update(Certificates.ec(), now.minus(Duration.ofDays(1)), now.plus(Duration.ofHours(1)));
        assertThat(fires("GitopsInterlockCertificateExpires", "north")).containsEntry("severity", "critical");

        secret.update(serving());
        ends("GitopsInterlockCertificateExpires", "north");
    }

    @Test
    @Order(6)
    void somebodyHasBrokenTheGlass() {
        kubernetes.createNamespace("broken");
        var annotation = BreakGlass.SETTING.annotation();
        kubernetes
                .kubectl("annotate", "namespace", "broken", annotation + "=true")
                .orFail();
        assertThat(fires("GitopsInterlockBreakGlass", "north")).containsEntry("scope", "namespaces");

        kubernetes.kubectl("annotate", "namespace", "broken", annotation + "-").orFail();
        ends("GitopsInterlockBreakGlass", "north");
    }

    private Map<String, String> fires(String alert, String clusterName) {
        var labels = prometheus.awaitFiring(alert, "cluster=" + clusterName);
        assertThat(labels).containsEntry("namespace", "gitops-interlock");
        return labels;
    }

    private void ends(String alert, String clusterName) {
        prometheus.awaitOver(alert, "cluster=" + clusterName);
    }

    /** Somebody creates a Job a few times a second, whatever becomes of that, until it is closed. */
    private AutoCloseableWithoutTrouble newJobs() {
        var job = new JobBuilder()
                .withNewMetadata()
                .withName("canary")
                .withNamespace("canary")
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("canary")
                .withImage("registry.example/canary:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
        var tasks = Stream.iterate(0, client -> client + 1)
                .limit(4)
                .map(client -> clients.scheduleWithFixedDelay(
                        () -> {
                            try {
                                kubernetes.admin().resource(job).dryRun().create();
                            } catch (KubernetesClientException e) {
                                assertThat(e.getMessage()).contains("failed calling webhook");
                            }
                        },
                        client * 100L,
                        400,
                        MILLISECONDS))
                .toList();
        return () -> tasks.forEach(task -> task.cancel(true));
    }

    @FunctionalInterface
    private interface AutoCloseableWithoutTrouble extends AutoCloseable {
        @Override
        void close();
    }

    /** As the chart renders them, but for the pace. */
    private static String rules() {
        var rules = AlertRules.rendered("machineConfigs.maxHold=1s", "machineConfigs.maxHoldRequiredPools=1s")
                .file();
        return Pattern.compile("(\\[|\\bfor: \"?)(\\d+)([mh])").matcher(rules).replaceAll(duration -> {
            var minutes =
                    Integer.parseInt(duration.group(2)) * (duration.group(3).equals("h") ? 60 : 1);
            return duration.group(1) + minutes + "s";
        });
    }

    private static Target pods(Interlock interlock, String clusterName) {
        return new Target.Plain(
                interlock.management(),
                "/q/metrics",
                Map.of("cluster", clusterName, "namespace", "gitops-interlock", "pod", clusterName + "-1"));
    }

    private void mayReadMetrics() {
        kubernetes
                .kubectl("create", "clusterrole", "metrics", "--verb=get", "--non-resource-url=/metrics")
                .orFail();
        kubernetes
                .kubectl(
                        "create",
                        "clusterrolebinding",
                        "metrics",
                        "--clusterrole=metrics",
                        "--serviceaccount=monitoring:prometheus")
                .orFail();
    }

    /** The pair that the API server trusts. */
    private Map<String, byte[]> serving() throws IOException {
        var folder = kubernetes.webhookCertificates();
        return Map.of(
                "tls.crt", Files.readAllBytes(folder.resolve("tls.crt")),
                "tls.key", Files.readAllBytes(folder.resolve("tls.key")));
    }

    /** It makes its certificate itself, and may write its Secret and nothing else. */
    private Interlock withoutRights() {
        apply("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: MutatingWebhookConfiguration
                metadata: {name: south, annotations: {gitops-interlock.dev/certificates: selfManaged}}
                webhooks:
                  - name: south.example.com
                    clientConfig: {url: "https://127.0.0.1:1/"}
                    rules: [{apiGroups: [example.com], apiVersions: [v1], resources: [nothings], operations: [CREATE]}]
                    admissionReviewVersions: [v1]
                    sideEffects: None
                """);
        apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: south, namespace: gitops-interlock}
                rules: [{apiGroups: [""], resources: [secrets], resourceNames: [%s], verbs: [get, update, patch, create]}]
                """.formatted(TRUST));
        kubernetes
                .kubectl(
                        "-n",
                        "gitops-interlock",
                        "create",
                        "rolebinding",
                        "south",
                        "--role=south",
                        "--serviceaccount=gitops-interlock:south")
                .orFail();
        var interlock = Interlock.serving(secret.directory())
                .watching(kubernetes)
                .with("quarkus.kubernetes-client.token", kubernetes.token("gitops-interlock", "south"))
                .without("gitops-interlock.certificate.directory")
                .without("gitops-interlock.caller-token")
                .with("gitops-interlock.certificate.self-managed.secret", TRUST)
                .with("gitops-interlock.certificate.self-managed.hosts", "127.0.0.1")
                .with(
                        "gitops-interlock.certificate.self-managed.webhook-configurations",
                        "mutatingwebhookconfigurations/south")
                .launch();
        await("metrics of the south")
                .atMost(Patience.LIMIT)
                .until(() -> interlock.get("/q/metrics").statusCode() == 200);
        return interlock;
    }

    private void giveRights() {
        kubernetes
                .kubectl(
                        "create",
                        "clusterrole",
                        "south",
                        "--verb=get,patch",
                        "--resource=mutatingwebhookconfigurations.admissionregistration.k8s.io")
                .orFail();
        for (var role : new String[] {"south", "gitops-interlock"}) {
            kubernetes
                    .kubectl(
                            "create",
                            "clusterrolebinding",
                            "south-" + role,
                            "--clusterrole=" + role,
                            "--serviceaccount=gitops-interlock:south")
                    .orFail();
        }
    }

    private void apply(String manifest) {
        kubernetes.kubectl("apply", "-f", kubernetes.file(manifest)).orFail();
    }
}
