package dev.gitopsinterlock.tools.restarts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.run.Patience;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Node waits between the steps of a progressive sync, with the real controllers of Argo CD. */
@RequiresTools("argocd")
class ProgressiveSyncToolsIT {

    private static final String OLD = "rendered-worker-1";
    private static final String NEW = "rendered-worker-2";

    /** No hook: the sync that applies it ends at once, and the step when it has. The test bed lets it take so long. */
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
    void aNodeWaitsBetweenTheSteps(@TempDir Path folder) {
        try (var kubernetes = ControlPlane.start();
                var argoCd = ArgoCd.start(kubernetes);
                var cluster = OptIn.cluster(kubernetes, "hold-for-application-sets", "applicationsets.argoproj.io")) {
            argoCd.startProgressiveSyncs();
            cluster.rendered(OLD);
            cluster.rendered(NEW);
            cluster.pool("worker", NEW, "{}");
            cluster.node("worker-1", OLD, "worker");
            kubernetes.createNamespace("shop-test");
            kubernetes.createNamespace("shop-live");
            var git = GitRepository.in(folder);
            git.commit("migration.yaml", MIGRATION);
            var live = argoCd.application("shop-live");
            cluster.awaitOpen("worker-1", NEW);

            cluster.apply("""
                    apiVersion: argoproj.io/v1alpha1
                    kind: ApplicationSet
                    metadata: {name: shop, namespace: argocd}
                    spec:
                      goTemplate: true
                      generators: [{list: {elements: [{stage: test}, {stage: live}]}}]
                      strategy:
                        type: RollingSync
                        rollingSync:
                          steps:
                            - matchExpressions: [{key: stage, operator: In, values: [test]}]
                            - matchExpressions: [{key: stage, operator: In, values: [live]}]
                      template:
                        metadata: {name: 'shop-{{.stage}}', labels: {stage: '{{.stage}}'}}
                        spec:
                          project: default
                          source: {repoURL: '%s', targetRevision: main, path: .}
                          destination: {server: https://kubernetes.default.svc, namespace: 'shop-{{.stage}}'}
                    """.formatted(git.url()));

            var test = argoCd.application("shop-test");
            await("held after the first step and before the second")
                    .atMost(Patience.LIMIT)
                    .until(() -> test.phase().equals("Succeeded")
                            && cluster.refusal("worker-1", NEW)
                                    .filter(words -> words.contains(
                                            "held: Argo CD sync shop (ApplicationSet) is running; until "))
                                    .isPresent()
                            && live.phase().isEmpty());

            cluster.awaitOpen("worker-1", NEW);
            assertThat(live.status()).isEqualTo("Synced, Healthy; sync Succeeded");
            assertThat(cluster.metric("gitops_interlock_syncs_running")).isZero();
        }
    }
}
