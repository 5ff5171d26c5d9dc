package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.MachineConfigController;
import dev.gitopsinterlock.testing.cluster.OpenShift;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Cable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** That the stand-in for OpenShift's controllers does what was seen of the real ones. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MachineConfigControllerIT {

    private static final double PACE = 0.05;

    private ControlPlane kubernetes;
    private OpenShift openShift;

    @BeforeAll
    void start() {
        kubernetes = ControlPlane.start();
        kubernetes.addDefinitionsOf("openshift");
        openShift = OpenShift.on(kubernetes);
    }

    @AfterAll
    void end() {
        kubernetes.close();
    }

    @BeforeEach
    void scene() {
        openShift.clear();
        openShift.createPool("master");
        openShift.createPool("worker");
        openShift.createPool("edge");
        openShift.createNode("master-0", "master", "worker");
        openShift.createNode("worker-0", "worker");
        openShift.createNode("worker-1", "worker");
        openShift.createNode("edge-0", "worker", "edge");
    }

    @Test
    void refusedNodeIsToldLaterAndNoPoolIsDegradedMeanwhile() {
        try (var controller = MachineConfigController.start(kubernetes, PACE)) {
            openShift.awaitUpdated(Patience.LIMIT);
            var before = target("edge-0");
            assertThat(before).startsWith("rendered-edge-");

            kubernetes.kubectl("apply", "-f", kubernetes.file(REFUSAL)).orFail();
            await("refusal in effect")
                    .atMost(Patience.LIMIT)
                    .until(() -> kubernetes
                                    .kubectl(
                                            "annotate",
                                            "node",
                                            "edge-0",
                                            "--overwrite",
                                            "--dry-run=server",
                                            OpenShift.DESIRED_CONFIG + "=other")
                                    .exitCode()
                            != 0);
            openShift.applyMachineConfig("60-motd", "worker", "hold");
            await("pools updating")
                    .atMost(Patience.LIMIT)
                    .until(() -> openShift.holds("edge", "Updating") && openShift.holds("worker", "Updating"));
            await("refused several times").atMost(Patience.LIMIT).until(() -> refusals(controller.log()) >= 5);
            assertThat(openShift.holds("edge", "Degraded")).isFalse();
            assertThat(openShift.holds("master", "Updated")).isTrue();
            assertThat(target("edge-0")).isEqualTo(before);

            kubernetes.kubectl("delete", "-f", kubernetes.file(REFUSAL)).orFail();
            awaitTold("edge-0", before);
            openShift.awaitUpdated(Patience.LIMIT);
            assertThat(target("master-0")).startsWith("rendered-master-");
        }
    }

    @Test
    void itGoesOnAfterItsConnectionsWereCutAndWhereAnotherOneLeftOff() {
        try (var cable = Cable.to(kubernetes.server());
                var controller = MachineConfigController.start(kubernetes, cable.url(), PACE)) {
            openShift.awaitUpdated(Patience.LIMIT);
            var first = target("edge-0");
            cable.cut();
            openShift.applyMachineConfig("60-motd", "edge", "missed");
            await("cut").atMost(Patience.LIMIT).until(() -> controller.log().contains("listing again"));
            cable.mend();
            awaitTold("edge-0", first);
            openShift.awaitUpdated(Patience.LIMIT);
        }
        var second = target("edge-0");
        openShift.applyMachineConfig("60-motd", "edge", "while-nobody-was-there");
        try (var another = MachineConfigController.start(kubernetes, PACE)) {
            awaitTold("edge-0", second);
            openShift.awaitUpdated(Patience.LIMIT);
            assertThat(another.log()).doesNotContain("Pool worker: Setting node");
        }
    }

    private String target(String node) {
        return openShift.annotation(node, OpenShift.DESIRED_CONFIG);
    }

    private void awaitTold(String node, String before) {
        await("another target").atMost(Patience.LIMIT).until(() -> !target(node).equals(before));
    }

    private static long refusals(String log) {
        return log.lines()
                .filter(line -> line.contains("Error syncing machineconfigpool edge: setting desired rendered-")
                        && line.contains("held: until you say so"))
                .count();
    }

    /** What the gate will do, for everybody and for good. */
    private static final String REFUSAL = """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: hold}
            spec:
              matchConstraints:
                resourceRules:
                  - {apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [nodes]}
              validations:
                - expression: >-
                    object.metadata.?annotations['machineconfiguration.openshift.io/desiredConfig']
                    == oldObject.metadata.?annotations['machineconfiguration.openshift.io/desiredConfig']
                  message: "held: until you say so"
                  reason: Forbidden
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: hold}
            spec: {policyName: hold, validationActions: [Deny]}
            """;
}
