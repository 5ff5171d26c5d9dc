package dev.gitopsinterlock.tools.restarts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.cli.ClusterStatus;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.run.Patience;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Node waits while Flux brings a new revision to the cluster, with the real kustomize-controller. */
@RequiresTools("flux")
class FluxHoldToolsIT {

    private static final String OLD = "rendered-worker-1";
    private static final String NEW = "rendered-worker-2";

    private static final String SETTINGS = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings}
            data: {version: "1.0"}
            """;

    /** The test bed lets it take so long. */
    private static final String MIGRATION = """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: migrate}
            spec:
              template:
                metadata: {labels: {testbed.gitops-interlock.dev/after: 20s}}
                spec: {restartPolicy: Never, containers: [{name: migrate, image: registry.example/migrate}]}
            """;

    @Test
    void aNodeWaitsForTheMigrationOfANewRevisionAndForNothingElse(@TempDir Path folder) {
        try (var kubernetes = ControlPlane.start();
                var flux = Flux.start(kubernetes);
                var cluster = OptIn.cluster(
                        kubernetes, "hold-for-kustomizations", "kustomizations.kustomize.toolkit.fluxcd.io")) {
            cluster.rendered(OLD);
            cluster.rendered(NEW);
            cluster.pool("worker", NEW, "{}");
            cluster.node("worker-1", OLD, "worker");
            kubernetes.createNamespace("shop");
            var git = GitRepository.in(folder);
            var shop = flux.kustomization("shop");
            var first = git.commit("settings.yaml", SETTINGS);
            shop.deploy(git, "shop", "{wait: true}");
            shop.awaitReady(first);
            cluster.awaitOpen("worker-1", NEW);

            var second = git.commit("migration.yaml", MIGRATION);
            shop.publish(git);
            cluster.awaitHeld("worker-1", NEW);
            assertThat(cluster.refusal("worker-1", NEW).orElseThrow())
                    .contains("held: Flux Kustomization flux-system/shop is reconciling; until ");
            assertThat(cluster.metric("gitops_interlock_syncs_running")).isEqualTo(1);
            assertThat(ClusterStatus.ofDeployed(kubernetes))
                    .contains("Rollouts held: 1\n", ", by Flux Kustomization flux-system/shop\n");

            shop.awaitReady(second);
            cluster.awaitOpen("worker-1", NEW);
            assertThat(ClusterStatus.ofDeployed(kubernetes)).contains("Rollouts held: none\n");
            await("its end is told")
                    .atMost(Patience.LIMIT)
                    .until(() -> cluster.events("worker", "RolloutReleased").stream()
                            .anyMatch(note -> note.contains(": syncs ended")));

            shop.reconcile();
            assertThat(cluster.refusal("worker-1", NEW)).as("nothing new").isEmpty();
            assertThat(cluster.metric("gitops_interlock_syncs_running")).isZero();
        }
    }
}
