package dev.gitopsinterlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.Applications;
import dev.gitopsinterlock.testing.ControlPlane;
import dev.gitopsinterlock.testing.MachineConfigController;
import dev.gitopsinterlock.testing.OpenShift;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** That the stand-in for OpenShift's controllers does what was seen of the real ones. */
class MachineConfigControllerIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Test
    void changeReachesEveryNodeAndARefusedOneIsRepeatedWithoutDegradedPools() {
        try (var kubernetes = ControlPlane.start();
                var controller = MachineConfigController.start(kubernetes, 0.05)) {
            var openShift = OpenShift.on(kubernetes);
            openShift.createPool("master");
            openShift.createPool("worker");
            openShift.createPool("edge");
            openShift.createNode("master-0", "master", "worker");
            openShift.createNode("worker-0", "worker");
            openShift.createNode("worker-1", "worker");
            openShift.createNode("edge-0", "worker", "edge");
            openShift.awaitUpdated(LIMIT);
            var before = openShift.annotation("edge-0", OpenShift.DESIRED_CONFIG);
            assertThat(before).startsWith("rendered-edge-");

            kubernetes.kubectl("apply", "-f", kubernetes.file(REFUSAL)).orFail();
            await("refusal in effect")
                    .atMost(LIMIT)
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
                    .atMost(LIMIT)
                    .until(() -> openShift.holds("edge", "Updating") && openShift.holds("worker", "Updating"));
            await("refused several times")
                    .atMost(LIMIT)
                    .until(() -> controller
                                    .log()
                                    .lines()
                                    .filter(line -> line.contains(
                                                    "Error syncing machineconfigpool edge: setting desired MachineConfig")
                                            && line.contains("held: until you say so"))
                                    .count()
                            >= 5);
            assertThat(openShift.holds("edge", "Degraded")).isFalse();
            assertThat(openShift.holds("master", "Updated")).isTrue();
            assertThat(openShift.annotation("edge-0", OpenShift.DESIRED_CONFIG)).isEqualTo(before);

            kubernetes.kubectl("delete", "-f", kubernetes.file(REFUSAL)).orFail();
            await("node told")
                    .atMost(LIMIT)
                    .until(() -> !openShift
                            .annotation("edge-0", OpenShift.DESIRED_CONFIG)
                            .equals(before));
            openShift.awaitUpdated(LIMIT);
            assertThat(openShift.annotation("edge-0", OpenShift.CURRENT_CONFIG))
                    .isNotEqualTo(before)
                    .startsWith("rendered-edge-");

            var applications = Applications.in(kubernetes, "argocd");
            applications.create("payments");
            var begin = applications.startSync("payments");
            assertThat(applications.endSync("payments")).isGreaterThan(begin);
        }
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
