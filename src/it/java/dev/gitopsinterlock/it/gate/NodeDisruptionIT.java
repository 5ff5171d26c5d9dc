package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Changes that restart nothing go on during a sync, on the real API server with OpenShift's own definitions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeDisruptionIT {

    private static final JsonNode FILE = Trees.resource("node-disruption/cases.yaml");

    private static final String BEFORE = "rendered-worker-1";
    private static final String PULL_SECRET = "rendered-worker-2";
    private static final String MOTD = "rendered-worker-3";

    private OpenShiftCluster cluster;

    @BeforeAll
    void start() {
        cluster = OpenShiftCluster.with(
                settings -> settings.with("gitops-interlock.machine-configs.honor-node-disruption-policy", "true"));
        rendered(BEFORE, "nothing differs");
        rendered(PULL_SECRET, "a pull secret");
        rendered(MOTD, "a file that no policy names");
        cluster.pool("worker", PULL_SECRET, "{}");
        cluster.node("worker-1", BEFORE, "worker");
        cluster.applications().create("payments");
        cluster.applications().startSync("payments");
        cluster.awaitCounted(1);
    }

    @AfterAll
    void end() {
        cluster.close();
    }

    /** In the order of what happens to an installation: without the right, without a policy, with it. */
    @Test
    void aPullSecretGoesOnAndAFileThatRestartsTheNodeWaits() {
        cluster.awaitHeld("worker-1", PULL_SECRET);

        Registration.allow(cluster.controlPlane(), "get", "machineconfigurations.operator.openshift.io");
        cluster.apply("""
                apiVersion: operator.openshift.io/v1
                kind: MachineConfiguration
                metadata: {name: cluster}
                spec: {managementState: Managed}
                """);
        assertThat(cluster.refusal("worker-1", PULL_SECRET)).as("no policy yet").isPresent();

        computePolicy();
        cluster.awaitOpen("worker-1", PULL_SECRET);
        assertThat(cluster.refusal("worker-1", MOTD).orElseThrow()).contains("held: Argo CD sync payments is running");
        assertThat(cluster.reviews("validate-nodes", "restarts_nothing")).isPositive();
        assertThat(cluster.interlock().log())
                .contains("reason=restarts_nothing")
                .doesNotContain("sshAuthorizedKeys", "data:,");
    }

    /** As the operator does, for the generation that there is. */
    private void computePolicy() {
        ObjectNode status = FILE.at("/policy/status").deepCopy();
        status.set(
                "observedGeneration",
                Trees.json(cluster.controlPlane()
                        .kubectl("get", "machineconfiguration", "cluster", "-o", "jsonpath={.metadata.generation}")
                        .orFail()
                        .out()));
        kubectl(
                "patch",
                "machineconfiguration",
                "cluster",
                "--subresource=status",
                "--type=merge",
                "-p",
                Trees.JSON.createObjectNode().set("status", status).toString());
    }

    /** A rendered MachineConfig with the content that the case makes. */
    private void rendered(String name, String difference) {
        ObjectNode config = FILE.path("before").deepCopy();
        Trees.change(config, FILE.path("cases").path(difference).path("after"));
        config.put("apiVersion", "machineconfiguration.openshift.io/v1").put("kind", "MachineConfig");
        config.withObject("/metadata").put("name", name);
        cluster.apply(config.toString());
    }

    private void kubectl(String... arguments) {
        cluster.controlPlane().kubectl(arguments).orFail();
    }
}
