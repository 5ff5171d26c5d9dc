package dev.gitopsinterlock.tools.restarts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Hub;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Texts;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Node of a cluster waits while the real Argo CD of a hub syncs to it. */
@RequiresTools("argocd")
class HubToolsIT {

    private static final String OLD = "rendered-worker-1";
    private static final String NEW = "rendered-worker-2";

    /** The test bed lets the hook take so long, and the sync waits for it; hooks alone are no difference. */
    private static final String SHOP = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: shop}
            ---
            apiVersion: batch/v1
            kind: Job
            metadata: {name: migrate, annotations: {argocd.argoproj.io/hook: Sync}}
            spec:
              template:
                metadata: {labels: {testbed.gitops-interlock.dev/after: 20s}}
                spec: {restartPolicy: Never, containers: [{name: migrate, image: registry.example/migrate}]}
            """;

    @Test
    void aNodeWaitsForASyncOfTheHub(@TempDir Path folder) {
        try (var kubernetes = ControlPlane.start();
                var argoCd = ArgoCd.start(kubernetes);
                var cluster = Hub.managedCluster()) {
            Registration.in(kubernetes);
            cluster.rendered(OLD);
            cluster.rendered(NEW);
            cluster.pool("worker", NEW, "{}");
            cluster.node("worker-1", OLD, "worker");
            cluster.controlPlane().createNamespace("shop");
            var git = GitRepository.in(folder);
            git.commit("shop.yaml", SHOP);
            register(cluster, kubernetes);
            try (var hub = Hub.service(kubernetes, "argocd", Map.of("east", Hub.kubeconfig(cluster)))
                    .start()) {
                cluster.awaitOpen("worker-1", NEW);

                var shop = argoCd.application("shop");
                shop.apply("""
                        apiVersion: argoproj.io/v1alpha1
                        kind: Application
                        metadata: {name: shop, namespace: argocd}
                        spec:
                          project: default
                          source: {repoURL: '%s', targetRevision: main, path: .}
                          destination: {name: east, namespace: shop}
                          syncPolicy: {automated: {}}
                        """.formatted(git.url()));

                await("held")
                        .atMost(Patience.LIMIT)
                        .until(() -> cluster.refusal("worker-1", NEW)
                                .filter(words ->
                                        words.contains("held: shop.argocd, announced by hub, is running; until "))
                                .isPresent());
                cluster.awaitOpen("worker-1", NEW);
                assertThat(shop.phase()).isEqualTo("Succeeded");
                assertThat(hub.log()).doesNotContain("cannot be announced");
            }
        }
    }

    /** As {@code argocd cluster add --name east}. */
    private static void register(OpenShiftCluster cluster, ControlPlane hub) {
        var managed = cluster.controlPlane();
        managed.kubeconfig("kube-system", "argocd-manager");
        hub.kubectl("apply", "-f", hub.file("""
                apiVersion: v1
                kind: Secret
                metadata: {name: east, namespace: argocd, labels: {argocd.argoproj.io/secret-type: cluster}}
                stringData:
                  name: east
                  server: '%s'
                  config: '{"bearerToken": "%s", "tlsClientConfig": {"caData": "%s"}}'
                """.formatted(
                        managed.server(),
                        managed.token("kube-system", "argocd-manager"),
                        Base64.getEncoder()
                                .encodeToString(Texts.read(managed.caFile()).getBytes(UTF_8)))))
                .orFail();
    }
}
