package dev.gitopsinterlock.tools.restarts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.cli.ClusterStatus;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.client.UpgradeController;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Upgrades of K3s and RKE2 wait for syncs and marked Jobs, with the real system-upgrade-controller. */
@RequiresTools("upgradecontroller")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpgradeControllerToolsIT {

    private static final String OVERRIDE =
            "kubectl -n system-upgrade annotate --overwrite plans.upgrade.cattle.io agent gitops-interlock.dev.cattle.io/sync-hold=Disabled";

    private Upgrades upgrades;
    private Interlock interlock;

    @BeforeAll
    void start() {
        upgrades = new Upgrades();
        interlock = upgrades.service().start();
        upgrades.register(interlock.url(), interlock);
        ClusterStatus.deployed(
                upgrades.kubernetes(),
                Map.of("UPGRADE_PLANS_CONTROLLER", UpgradeController.USER, "MACHINE_CONFIGS_HOLD_FOR_JOBS", "true"));
    }

    @AfterEach
    void nothingRuns() {
        upgrades.applications().endSync(Upgrades.APPLICATION);
        awaitCounted(0);
    }

    @AfterAll
    void end() {
        interlock.close();
        upgrades.close();
    }

    @Test
    void withoutASyncNothingIsHeld() {
        var refused = refused();

        upgrades.begin();
        upgrades.awaitDone();

        assertThat(refused()).isEqualTo(refused);
    }

    @Test
    void anUpgradeWaitsForASyncAndGoesOnByItself() {
        upgrades.applications().startSync(Upgrades.APPLICATION);
        awaitCounted(1);

        upgrades.begin();
        upgrades.awaitTold("RolloutHeld", "held: Argo CD sync payments is running; until ");
        upgrades.awaitTold("RolloutHeld", "is next");
        assertThat(upgrades.running()).as("Jobs that run").isEmpty();
        assertThat(upgrades.upgraded()).isEmpty();
        assertThat(status())
                .containsPattern("Rollouts held: 1\n  plan agent Node worker-[01] since .* by Argo CD sync payments\n")
                .contains("    To let it go on now: " + OVERRIDE + "\n");

        upgrades.applications().endSync(Upgrades.APPLICATION);
        upgrades.awaitDone();
        upgrades.awaitTold("RolloutReleased", ": syncs ended");
        assertThat(upgrades.get("plans.upgrade.cattle.io/agent", "{.metadata.annotations}"))
                .doesNotContain("gitops-interlock");
        assertThat(interlock.metrics()).contains("gitops_interlock_holds 0.0");
        assertThat(status()).contains("Rollouts held: none\n").doesNotContain("Plans");
    }

    @Test
    void theCommandOfTheMessageLetsItGoUnderTheSync() {
        upgrades.applications().startSync(Upgrades.APPLICATION);
        awaitCounted(1);
        upgrades.begin();
        await("refused")
                .atMost(Patience.LIMIT)
                .until(() ->
                        upgrades.running().isEmpty() && interlock.metrics().contains("gitops_interlock_holds 1.0"));

        upgrades.annotate(OVERRIDE.substring(OVERRIDE.lastIndexOf(' ') + 1));
        upgrades.awaitDone();
        upgrades.awaitTold("RolloutReleased", ": opted out");
        assertThat(upgrades.get("jobs", "{.items[*].metadata.annotations}"))
                .as("what the controller copied, which would make Jobs anew that are running")
                .doesNotContain("sync-hold");
        upgrades.annotate("gitops-interlock.dev.cattle.io/sync-hold-");
    }

    @Test
    void aNodeWaitsForTheMarkedJobOnIt() {
        var kubernetes = upgrades.kubernetes();
        kubernetes.createNamespace("shop");
        upgrades.apply("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: migrate, namespace: shop}
                spec:
                  template:
                    metadata:
                      labels: {gitops-interlock.dev/hold-restarts: 'true', testbed.gitops-interlock.dev/outcome: run}
                    spec: {restartPolicy: Never, nodeName: worker-1, containers: [{name: work, image: registry.example/work}]}
                """);
        await("Pod runs")
                .atMost(Patience.LIMIT)
                .until(() -> kubernetes
                        .kubectl("-n", "shop", "get", "pods", "-o", "jsonpath={.items[*].status.phase}")
                        .out()
                        .equals("Running"));

        upgrades.begin();
        upgrades.awaitTold("RolloutHeld", "held: Job shop/migrate runs on Node worker-1; until ");
        assertThat(upgrades.upgraded())
                .as("whether before or after the other Node")
                .doesNotContain("worker-1");
        assertThat(status()).containsPattern("  plan agent Node worker-1 since .* by Job shop/migrate\n");

        kubernetes
                .kubectl("-n", "shop", "delete", "job", "migrate", "--wait=true")
                .orFail();
        upgrades.awaitDone();
        upgrades.awaitTold("RolloutReleased", ": Jobs ended");
    }

    private String status() {
        return ClusterStatus.ofDeployed(upgrades.kubernetes());
    }

    private double refused() {
        return OpenShiftCluster.reviews(interlock, "validate-nodes", "held\"");
    }

    private void awaitCounted(int syncs) {
        await(syncs + " syncs counted")
                .atMost(Patience.LIMIT)
                .until(() -> interlock.metrics().contains("gitops_interlock_syncs_running " + syncs + ".0"));
    }
}
