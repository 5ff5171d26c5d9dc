package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.run.Patience;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the gate reads and says, on the real API server with the real schemas. Each condition by itself is a case in
 * src/test/resources/reviews/rollouts.
 */
@ExtendWith(OpenShiftCluster.Extension.class)
class NodeGateIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";
    private final OpenShiftCluster cluster;

    NodeGateIT(OpenShiftCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void aRolloutBegins() {
        cluster.rendered(OLD);
        cluster.rendered(NEW);
        cluster.pool("worker", NEW, "{}");
        cluster.node("worker-1", OLD, "worker");
        cluster.applications().create("payments");
    }

    @AfterEach
    void nothingIsLeft() {
        cluster.applications().clear();
        for (var kind : new String[] {"nodes", "machineconfigpools", "machineconfigs", "clusterversions"}) {
            cluster.controlPlane().kubectl("delete", kind, "--all").orFail();
        }
        cluster.awaitCounted(0);
    }

    @Test
    void nodeIsHeldWhileASyncRunsAndGoesWhenItHasEnded() {
        var released = releasedAfterSyncs();
        var ended = cluster.metric("gitops_interlock_holds_ended_total{outcome=\"syncs_ended\"}");
        cluster.awaitOpen("worker-1", NEW);
        cluster.applications().startSync("payments");
        cluster.awaitHeld("worker-1", NEW);

        assertThat(cluster.refusal("worker-1", NEW).orElseThrow())
                .containsPattern("admission webhook \"node-gate.gitops-interlock.dev\" denied the request:"
                        + " held: Argo CD sync payments is running; until [0-2][0-9]:[0-5][0-9] UTC at the latest")
                .contains("oc annotate --overwrite mcp worker gitops-interlock.dev/sync-hold=Disabled", "Forbidden");
        await("event of the beginning")
                .atMost(Patience.LIMIT)
                .until(() -> !cluster.events("worker", "RolloutHeld").isEmpty());
        assertThat(cluster.metric("gitops_interlock_holds")).isEqualTo(1);

        cluster.applications().endSync("payments");
        cluster.awaitOpen("worker-1", NEW);
        await("event of the end").atMost(Patience.LIMIT).until(() -> releasedAfterSyncs() > released);
        // a refusal that was on its way when the hold ended is one more, for a second
        await("no hold").atMost(Patience.LIMIT).until(() -> cluster.metric("gitops_interlock_holds") == 0);
        assertThat(cluster.metric("gitops_interlock_holds_ended_total{outcome=\"syncs_ended\"}"))
                .isGreaterThan(ended);
    }

    /** Those of another test's hold, which ended otherwise, may come later. */
    private long releasedAfterSyncs() {
        return cluster.events("worker", "RolloutReleased").stream()
                .filter(note -> note.contains(": syncs ended"))
                .count();
    }

    @Test
    void syncThatWaitsForItsNextTryCounts() {
        patch("payments", """
                {'operation': {'sync': {}}, 'status': {'operationState': {
                 'operation': {}, 'phase': 'Running', 'startedAt': 'NOW', 'finishedAt': 'NOW', 'retryCount': 1}}}""");

        cluster.awaitCounted(1);
        cluster.awaitHeld("worker-1", NEW);
    }

    @Test
    void syncThatIsOptedOutDoesNotCount() {
        patch("payments", """
                {'metadata': {'annotations': {'gitops-interlock.dev/sync-hold': 'Disabled'}}, 'operation': {'sync': {}}}""");
        afterEverythingIsKnown();

        assertThat(cluster.refusal("worker-1", NEW)).isEmpty();
    }

    @Test
    void syncOfANamespaceThatIsNotArgoCdsDoesNotCount() {
        var forged = Applications.in(cluster.controlPlane(), "tenant");
        forged.create("forged");
        forged.startSync("forged");
        afterEverythingIsKnown();

        assertThat(cluster.refusal("worker-1", NEW)).isEmpty();
        forged.clear();
    }

    @Test
    void noHoldDuringAnUpgrade() {
        cluster.apply("""
                apiVersion: config.openshift.io/v1
                kind: ClusterVersion
                metadata: {name: version}
                spec: {clusterID: 00000000-0000-0000-0000-000000000000}
                """);
        cluster.applications().startSync("payments");
        cluster.awaitHeld("worker-1", NEW);

        progressing("True");
        cluster.awaitOpen("worker-1", NEW);
        progressing("False");
        cluster.awaitHeld("worker-1", NEW);
    }

    @Test
    void noHoldForAPoolThatIsOptedOut() {
        cluster.applications().startSync("payments");
        cluster.awaitHeld("worker-1", NEW);

        cluster.controlPlane()
                .kubectl("annotate", "machineconfigpool", "worker", "gitops-interlock.dev/sync-hold=Disabled")
                .orFail();
        cluster.awaitOpen("worker-1", NEW);
        await("event of the end")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.events("worker", "RolloutReleased").stream()
                        .anyMatch(note -> note.endsWith("opted out")));
    }

    @Test
    void anotherImageIsAnotherConfiguration() {
        cluster.applications().startSync("payments");
        cluster.awaitHeld("worker-1", NEW);

        var result = cluster.annotate("worker-1", "desiredImage=registry.example/os:2");

        assertThat(result.err()).contains("held: ");
    }

    @Test
    void nothingElseReachesUs() {
        cluster.applications().startSync("payments");
        cluster.awaitHeld("worker-1", NEW);
        var before = cluster.reviews("validate-nodes", "");
        var kubernetes = cluster.controlPlane();
        var desired = "machineconfiguration.openshift.io/desiredConfig=" + NEW;

        kubernetes.kubectl("label", "node", "worker-1", "rack=7").orFail();
        kubernetes.kubectl("taint", "node", "worker-1", "a=b:NoSchedule").orFail();
        kubernetes.kubectl("cordon", "worker-1").orFail();
        kubernetes
                .kubectl(
                        "patch",
                        "node",
                        "worker-1",
                        "--subresource=status",
                        "--type=merge",
                        "-p",
                        "{\"status\": {\"conditions\": [{\"type\": \"Ready\", \"status\": \"True\"}]}}")
                .orFail();
        // the controller itself, but nothing that moves the Node
        cluster.annotate("worker-1", "reason=waiting").orFail();
        kubernetes
                .kubectlWith(cluster.controller(), "taint", "node", "worker-1", "UpdateInProgress=:PreferNoSchedule")
                .orFail();
        // the Node's move, but by somebody else
        kubernetes
                .kubectl("annotate", "node", "worker-1", "--overwrite", desired)
                .orFail();
        assertThat(cluster.reviews("validate-nodes", "")).isEqualTo(before);

        cluster.send("worker-1", OLD + "3");
        assertThat(cluster.reviews("validate-nodes", "")).isEqualTo(before + 1);
    }

    private void patch(String application, String patch) {
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        cluster.applications().patch(application, patch.replace('\'', '"').replace("NOW", now));
    }

    /** What was written before is known when something written later is: there is one watch for all Applications. */
    private void afterEverythingIsKnown() {
        cluster.applications().create("platform");
        cluster.applications().startSync("platform");
        cluster.awaitCounted(1);
        cluster.applications().endSync("platform");
        cluster.awaitCounted(0);
    }

    private void progressing(String status) {
        cluster.controlPlane()
                .kubectl(
                        "patch",
                        "clusterversion",
                        "version",
                        "--subresource=status",
                        "--type=merge",
                        "-p",
                        """
                        {"status": {"desired": {"version": "4.20.1", "image": "x"}, "observedGeneration": 1,
                          "versionHash": "x", "availableUpdates": [], "conditions": [{"type": "Progressing", "status": "%s",
                          "lastTransitionTime": "2026-11-21T12:00:00Z"}]}}
                        """.formatted(status))
                .orFail();
    }
}
