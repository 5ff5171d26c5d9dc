package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Cable;
import dev.gitopsinterlock.testing.service.Interlock;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The service away, cut off, without rights or too early: rollouts go on, and nothing has to be cleaned up. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeGateFaultsIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";
    private ControlPlane kubernetes;
    private Cable cable;

    @BeforeAll
    void start() {
        kubernetes = ControlPlane.start();
        cable = Cable.to(kubernetes.server());
    }

    @AfterAll
    void end() {
        cable.close();
        kubernetes.close();
    }

    @AfterEach
    void mend() {
        cable.mend();
    }

    @Test
    void killedServiceHoldsNothingAndANewOneHoldsAgain() {
        try (var interlock = service()) {
            var cluster = scene(interlock);
            cluster.awaitHeld("worker-1", NEW);

            interlock.process().destroyForcibly();
            cluster.awaitOpen("worker-1", NEW);
            assertThat(kubernetes
                            .kubectl("get", "machineconfigpool", "worker", "-o", "yaml")
                            .out())
                    .doesNotContain("gitops-interlock");
        }
        var restarted = System.nanoTime();
        try (var interlock = service()) {
            scene(interlock).awaitHeld("worker-1", NEW);
            System.out.printf(
                    Locale.ROOT, "gate: back %.1f s after the start%n", (System.nanoTime() - restarted) / 1e9);
        }
    }

    @Test
    void withoutTheRegistrationNothingIsHeld() {
        try (var interlock = service()) {
            var cluster = scene(interlock);
            cluster.awaitHeld("worker-1", NEW);

            kubernetes
                    .kubectl("delete", "validatingwebhookconfiguration", "gitops-interlock")
                    .orFail();
            cluster.awaitOpen("worker-1", NEW);
        }
    }

    @Test
    void reviewOnAPathWithoutTheCallerTokenHoldsNothing() {
        var registration = Registration.in(kubernetes);
        try (var interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .with("gitops-interlock.caller-token", "abcdefghij0123456789")
                .start()) {
            registration.of(interlock);
            var cluster = scene(interlock);
            cluster.awaitCounted(1);

            await("asked")
                    .atMost(Patience.LIMIT)
                    .until(() -> cluster.refusal("worker-1", NEW).isEmpty()
                            && cluster.reviews("validate-nodes", "untrusted") > 0);
        }
    }

    @Test
    void serviceThatIsCutOffHoldsNothingAndHoldsAgainWhenItIsBack() {
        try (var interlock = service()) {
            var cluster = scene(interlock);
            cluster.awaitHeld("worker-1", NEW);

            cable.cut();
            cluster.awaitOpen("worker-1", NEW);
            assertThat(cluster.reviews("validate-nodes", "unknown_target")).isPositive();

            cable.mend();
            var mended = System.nanoTime();
            cluster.awaitHeld("worker-1", NEW);
            System.out.printf(
                    Locale.ROOT, "gate: back %.1f s after the connection%n", (System.nanoTime() - mended) / 1e9);
        }
    }

    @Test
    void answersThatDoNotComeHoldNothing() {
        try (var interlock = service()) {
            var cluster = scene(interlock);
            cluster.awaitHeld("worker-1", NEW);

            cable.block();
            cluster.awaitOpen("worker-1", NEW);

            cable.mend();
            cluster.awaitHeld("worker-1", NEW);
        }
    }

    @Test
    void syncThatBeganWhileTheServiceWasCutOffIsKnownWhenItIsBack() {
        try (var interlock = service()) {
            var cluster = scene(interlock);
            cluster.applications().endSync("payments");
            cluster.awaitOpen("worker-1", NEW);

            cable.cut();
            cluster.applications().startSync("payments");
            cable.mend();
            cluster.awaitHeld("worker-1", NEW);
        }
    }

    @Test
    void serviceWithoutRightsIsReadyAndHoldsNothingUntilItHasThem() {
        try (var interlock = service()) {
            scene(interlock).awaitHeld("worker-1", NEW);
        }
        mayOnlyWatchNamespaces();
        try (var interlock = service(Registration.webhooksOnly(kubernetes))) {
            var cluster = OpenShiftCluster.of(kubernetes, interlock, Applications.in(kubernetes, "argocd"));
            await("rights are missed")
                    .atMost(Patience.LIMIT)
                    .until(() -> interlock.log().contains("watching applications failed"));
            assertThat(cluster.refusal("worker-1", NEW)).isEmpty();
            assertThat(cluster.reviews("validate-nodes", "unknown")).isPositive();
            assertThat(interlock.log()).contains("rollout not held, the state of the cluster is not known");

            Registration.in(kubernetes);
            cluster.awaitHeld("worker-1", NEW);
        }
    }

    /** By the manager that gave the rights, who alone can take them away. */
    private void mayOnlyWatchNamespaces() {
        var role = kubernetes.file("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: gitops-interlock}
                rules: [{apiGroups: [""], resources: [namespaces], verbs: [list, watch]}]
                """);
        kubernetes
                .kubectl("apply", "--server-side", "--field-manager=fabric8", "-f", role)
                .orFail();
    }

    private Interlock service() {
        return service(Registration.in(kubernetes));
    }

    private Interlock service(Registration registration) {
        var interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .with("quarkus.kubernetes-client.api-server-url", cable.url())
                .start();
        registration.of(interlock);
        return interlock;
    }

    /** A rollout that is to be held. The definitions appear while the service is running already. */
    private OpenShiftCluster scene(Interlock interlock) {
        kubernetes.addDefinitionsOf("openshift");
        var applications = Applications.in(kubernetes, "argocd");
        var cluster = OpenShiftCluster.of(kubernetes, interlock, applications);
        applications.clear();
        cluster.rendered(OLD);
        cluster.rendered(NEW);
        cluster.pool("worker", NEW, "{}");
        cluster.node("worker-1", OLD, "worker");
        applications.create("payments");
        applications.startSync("payments");
        return cluster;
    }
}
