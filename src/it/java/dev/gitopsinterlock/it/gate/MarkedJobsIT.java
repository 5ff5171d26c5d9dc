package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.cli.ClusterStatus;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Patience;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Nodes wait for marked Jobs that run on them, on the real API server with the real Job controller. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MarkedJobsIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";
    private static final String MARK = "gitops-interlock.dev/hold-restarts: 'true'";

    private OpenShiftCluster cluster;

    @BeforeAll
    void start() {
        cluster = OpenShiftCluster.with(
                settings -> settings.with("gitops-interlock.machine-configs.hold-for-jobs", "true"));
        cluster.rendered(OLD);
        cluster.rendered(NEW);
        cluster.pool("worker", NEW, "{}");
        cluster.controlPlane().createNamespace("shop");
    }

    @BeforeEach
    void noNodeIsSentYet() {
        kubectl("delete", "pods,jobs", "--all", "--force", "--grace-period=0", "-n", "shop");
        cluster.node("worker-1", OLD, "worker");
        cluster.node("worker-2", OLD, "worker");
    }

    @AfterAll
    void end() {
        cluster.close();
    }

    /** In the order of what happens to an installation: without the right, with it. */
    @Test
    void aNodeWaitsForTheMarkedJobOnItAndGoesWhenThatHasEnded() {
        job("migrate", "worker-1", MARK);
        cluster.awaitOpen("worker-1", NEW);
        assertThat(cluster.interlock().log()).contains("reason=unknown_jobs");

        Registration.allow(cluster.controlPlane(), "list", "pods");
        cluster.awaitHeld("worker-1", NEW);
        assertThat(cluster.refusal("worker-1", NEW).orElseThrow())
                .containsPattern(
                        "held: Job shop/migrate runs on Node worker-1; until [0-2][0-9]:[0-5][0-9] UTC at the latest")
                .contains("oc annotate --overwrite mcp worker gitops-interlock.dev/sync-hold=Disabled");
        assertThat(cluster.refusal("worker-2", NEW)).as("no Job runs there").isEmpty();
        await("event of the beginning")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.events("worker", "RolloutHeld").stream()
                        .anyMatch(note -> note.contains("shop/migrate")));

        ClusterStatus.deployed(cluster.controlPlane(), Map.of("MACHINE_CONFIGS_HOLD_FOR_JOBS", "true"));
        assertThat(ClusterStatus.ofDeployed(cluster.controlPlane()))
                .contains("Rollouts held: 1\n", "  pool worker Node worker-1 since ", ", by Job shop/migrate\n");

        end("migrate");
        cluster.awaitOpen("worker-1", NEW);
        assertThat(ClusterStatus.ofDeployed(cluster.controlPlane())).contains("Rollouts held: none\n");
        await("event of the end")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.events("worker", "RolloutReleased").stream()
                        .anyMatch(note -> note.contains(": Jobs ended")));
        assertThat(cluster.metric("gitops_interlock_holds")).isZero();
        assertThat(cluster.metric("gitops_interlock_holds_ended_total{outcome=\"jobs_ended\"}"))
                .isEqualTo(1);

        job("other", "worker-2", "team: shop");
        assertThat(cluster.refusal("worker-2", NEW)).as("it is not marked").isEmpty();

        observed();
    }

    /** Nothing waits, and people are told for which Job it would have. */
    private void observed() {
        kubectl("annotate", "machineconfigpool", "worker", "gitops-interlock.dev/sync-hold=Observe");
        job("backup", "worker-1", MARK);
        var would = "would be held: Job shop/backup runs on Node worker-1; until ";
        assertThat(ClusterStatus.ofDeployed(cluster.controlPlane()))
                .contains(
                        "Rollouts held: none\n",
                        "  pool worker Node worker-1 would be held since ",
                        ", by Job shop/backup\n");

        cluster.awaitOpen("worker-1", NEW);
        assertThat(cluster.refusal("worker-1", NEW)).isEmpty();

        await("event")
                .atMost(Patience.LIMIT)
                .until(() ->
                        cluster.events("worker", "RolloutWouldWait").stream().anyMatch(note -> note.startsWith(would)));
        assertThat(cluster.reviews("validate-nodes", "observed")).isPositive();
        assertThat(cluster.metric("gitops_interlock_observed_holds")).isZero();
    }

    /** Its Pod runs until its status says otherwise. */
    private void job(String name, String node, String label) {
        kubectl("apply", "-n", "shop", "-f", cluster.controlPlane().file("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s}
                spec:
                  template:
                    metadata:
                      labels: {%s, testbed.gitops-interlock.dev/outcome: run}
                    spec:
                      restartPolicy: Never
                      nodeName: %s
                      containers: [{name: work, image: 'registry.example/work:1'}]
                """.formatted(name, label, node)));
        await("Pod").atMost(Patience.LIMIT).until(() -> podOf(name).startsWith(name));
    }

    private String podOf(String job) {
        return cluster.controlPlane()
                .kubectl(
                        "get",
                        "pods",
                        "-n",
                        "shop",
                        "-l",
                        "job-name=" + job,
                        "-o",
                        "jsonpath={.items[*].metadata.name}")
                .orFail()
                .out();
    }

    private void end(String job) {
        kubectl(
                "patch",
                "pod",
                podOf(job),
                "-n",
                "shop",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\": {\"phase\": \"Succeeded\"}}");
    }

    private void kubectl(String... arguments) {
        cluster.controlPlane().kubectl(arguments).orFail();
    }
}
