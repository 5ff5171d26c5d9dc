package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.cli.ClusterStatus;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Example;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rollouts wait for what Leases announce, on the real API server. Each Lease by itself is a case of AnnouncedHoldTest. */
class AnnouncedHoldIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";
    private static final String NAMESPACE = "gitops-interlock";
    private static final String KNOWN = "gitops_interlock_cache_known{cache=\"leases/" + NAMESPACE + "\"}";

    private OpenShiftCluster cluster;

    @BeforeEach
    void aRolloutBegins() {
        cluster = OpenShiftCluster.with(
                settings -> settings.with("gitops-interlock.machine-configs.lease-namespaces", NAMESPACE));
        cluster.rendered(OLD);
        cluster.rendered(NEW);
        cluster.pool("worker", NEW, "{}");
        cluster.node("worker-1", OLD, "worker");
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    /** In the order of what happens to an installation: without the right, with it. */
    @Test
    void aLeaseHoldsUntilItExpiresOrIsDeleted(@TempDir Path folder) throws IOException {
        lease(600);
        await("the right is missed")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.interlock().log().contains("watching leases failed"));
        cluster.awaitOpen("worker-1", NEW);
        assertThat(cluster.metric(KNOWN)).isZero();
        assertThat(cluster.interlock().get("/").body())
                .contains("Watch on leases/" + NAMESPACE, "May not be watched: the account lacks the right");
        cluster.applications().create("shop");
        cluster.applications().startSync("shop");
        cluster.awaitHeld("worker-1", NEW);
        cluster.applications().clear();
        cluster.awaitOpen("worker-1", NEW);

        mayWatchLeases();
        cluster.awaitHeld("worker-1", NEW);
        assertThat(cluster.refusal("worker-1", NEW).orElseThrow())
                .containsPattern(
                        "held: payments, announced by ci, is running; until [0-2][0-9]:[0-5][0-9] UTC at the latest");
        assertThat(cluster.metric(KNOWN)).isEqualTo(1);
        assertThat(cluster.metric("gitops_interlock_syncs_running")).isEqualTo(1);
        assertThat(cluster.interlock().get("/").body()).contains("payments, announced by ci");
        ClusterStatus.deployed(cluster.controlPlane(), Map.of("MACHINE_CONFIGS_LEASE_NAMESPACES", NAMESPACE));
        assertThat(ClusterStatus.ofDeployed(cluster.controlPlane()))
                .contains("Rollouts held: 1\n", " at the latest, by payments, announced by ci\n");

        kubectl("delete", "lease", "payments", "-n", NAMESPACE);
        opensWithin("deletion");
        await("event of the end")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.events("worker", "RolloutReleased").stream()
                        .anyMatch(note -> note.contains(": syncs ended")));

        await("held while it is renewed").atMost(Patience.LIMIT).until(() -> {
            lease(10);
            return cluster.refusal("worker-1", NEW).isPresent();
        });
        opensWithin("last renewal for 10 s");
        kubectl("get", "lease", "payments", "-n", NAMESPACE);
        assertThat(ClusterStatus.ofDeployed(cluster.controlPlane())).contains("Rollouts held: none\n");

        byTheExample(folder);
    }

    private void opensWithin(String what) {
        var since = System.nanoTime();
        cluster.awaitOpen("worker-1", NEW);
        System.out.printf(Locale.ROOT, "gate: open %.1f s after the %s%n", (System.nanoTime() - since) / 1e9, what);
    }

    /** A pipeline with the rights that it gives, and no others. */
    private void byTheExample(Path folder) throws IOException {
        var example = Example.of("announced-hold");
        var controlPlane = cluster.controlPlane();
        var account = controlPlane.plainKubeconfig("pipelines", "deployer");
        kubectl("apply", "-f", example.folder().resolve("rights.yaml").toString());
        kubectl("delete", "lease", "payments", "-n", NAMESPACE);
        var deployed = folder.resolve("deployed");
        Command.run(Map.of(), List.of("mkfifo", deployed.toString())).orFail();

        var pipeline = CompletableFuture.supplyAsync(() -> Command.run(
                Map.of(
                        "HOLDER",
                        "pipeline 4711",
                        "KUBECONFIG",
                        account.toString(),
                        "PATH",
                        controlPlane.kubectlProgram().getParent() + ":" + System.getenv("PATH")),
                List.of(example.folder().resolve("hold").toString(), "shop", "cat", deployed.toString())));
        cluster.awaitHeld("worker-1", NEW);
        assertThat(cluster.refusal("worker-1", NEW).orElseThrow())
                .contains("held: shop, announced by pipeline 4711, is running; until ");
        Files.writeString(deployed, "deployed\n");

        assertThat(pipeline.join().orFail().text()).isEqualTo("deployed\n");
        assertThat(controlPlane
                        .kubectl("get", "leases", "-n", NAMESPACE, "-o", "name")
                        .out())
                .isEmpty();
        opensWithin("end of the pipeline");
    }

    private void lease(int seconds) {
        cluster.apply("""
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: payments, namespace: %s, labels: {gitops-interlock.dev/hold-rollouts: "true"}}
                spec: {holderIdentity: ci, leaseDurationSeconds: %d, renewTime: "%s"}
                """.formatted(
                        NAMESPACE,
                        seconds,
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", ".000000Z")));
    }

    /** As the chart gives it. */
    private void mayWatchLeases() {
        kubectl("create", "role", "leases", "-n", NAMESPACE, "--verb=list,watch", "--resource=leases");
        kubectl(
                "create",
                "rolebinding",
                "leases",
                "-n",
                NAMESPACE,
                "--role=leases",
                "--serviceaccount=gitops-interlock:gitops-interlock");
    }

    private void kubectl(String... arguments) {
        cluster.controlPlane().kubectl(arguments).orFail();
    }
}
