package dev.gitopsinterlock.system.install;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.client.KubeRouter;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whom the chart's network policy lets reach the Pods, where something enforces it. No policy keeps away what comes from the
 * Pods' own Node, as the API server does here: a Pod stands in for one elsewhere.
 */
@OnNode
@RequiresTools("kuberouter")
@TestInstance(Lifecycle.PER_CLASS)
class InstallNetworkPolicyToolsIT {

    private static final String WEBHOOK = "https://%s:10250/";
    private static final String METRICS = "http://%s:9000/q/metrics";

    private final Platform platform;
    private final Release release;
    private final Workspace shop;
    private final Workspace monitoring;
    private KubeRouter kubeRouter;

    InstallNetworkPolicyToolsIT(Platform platform, @TempDir Path home) {
        this.platform = platform;
        release = platform.release(home);
        shop = Workspace.in(platform.kubernetes(), "shop");
        monitoring = Workspace.in(platform.kubernetes(), "monitoring");
    }

    @BeforeAll
    void install() {
        kubeRouter = KubeRouter.start(platform.kubernetes());
        run(shop, "api-server");
        run(shop, "agent");
        run(shop, "stranger");
        run(monitoring, "prometheus");
        var values = """
                certificates: {mode: selfManaged}
                networkPolicy:
                  enabled: true
                  apiServers: ["%s/32"]
                  ingressFrom:
                    - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
                      podSelector: {matchLabels: {run: agent}}
                  metricsNamespaces: [%s]
                """.formatted(address(shop, "api-server"), shop.namespace(), monitoring.namespace());
        release.helm(Helm.HELM_4, "install", "--wait", "--timeout", "5m", "--values", shop.file(values))
                .orFail();
        await("enforced")
                .atMost(Patience.LIMIT)
                .until(() -> release.podNames().stream().noneMatch(pod -> reaches("stranger", WEBHOOK, pod)));
    }

    @AfterAll
    void end() {
        release.close();
        if (kubeRouter != null) {
            kubeRouter.close();
        }
    }

    @Test
    void editsAreReviewed() {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");

        assertThat(shop.kubectl("apply", "-f", shop.file(edited(JOB))).err())
                .contains("(field is immutable) KubectlApplyJobEdit");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "stranger,   false, false",
        "api-server, true,  false",
        "agent,      true,  false",
        "prometheus, false, true",
    })
    void aPodReachesWhatItIsNamedFor(String client, boolean webhook, boolean metrics) {
        assertThat(release.podNames()).hasSize(2).allSatisfy(pod -> {
            assertThat(reaches(client, WEBHOOK, pod)).as("webhook").isEqualTo(webhook);
            assertThat(reaches(client, METRICS, pod)).as("metrics").isEqualTo(metrics);
        });
    }

    private void run(Workspace where, String name) {
        where.kubectl(
                        "run",
                        name,
                        "--image=" + platform.kubernetes().jobImage(),
                        "--grace-period=0",
                        "--command",
                        "--",
                        "sh",
                        "-c",
                        "sleep 3600")
                .orFail();
        where.kubectl("wait", "--for=condition=Ready", "--timeout=5m", "pod/" + name)
                .orFail();
    }

    private static String address(Workspace where, String pod) {
        return where.kubectl("get", "pod", pod, "-o", "jsonpath={.status.podIP}")
                .orFail()
                .out();
    }

    /** Whether a Pod of the release answers a client, whatever it says. */
    private boolean reaches(String client, String url, String pod) {
        var ip = release.kubectl("get", "pod", pod, "-o", "jsonpath={.status.podIP}")
                .orFail()
                .out();
        var curl = ControlPlane.onNetworkOf(
                Long.toString(release.process(client).pid()),
                "curl",
                "--silent",
                "--insecure",
                "--max-time",
                "20",
                "--output",
                "/dev/null",
                url.formatted(ip));
        return Command.run(Map.of(), curl).exitCode() == 0;
    }
}
