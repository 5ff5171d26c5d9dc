package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.Hub;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Cable;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.Metrics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * By the files of example "hub", a hub holds the rollouts of the clusters that its syncs go to, each with an API server of its
 * own. It is in the second one, whose gate does not know its Argo CD. What is written when, LeaseWriterTest shows.
 */
class HubIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";

    private OpenShiftCluster a;
    private OpenShiftCluster b;
    private Applications applications;

    @BeforeEach
    void rolloutsBegin() {
        a = Hub.managedCluster();
        b = Hub.managedCluster();
        applications = Applications.in(b.controlPlane(), "hub");
        for (var each : List.of(a, b)) {
            each.rendered(OLD);
            each.rendered(NEW);
            each.pool("worker", NEW, "{}");
            each.node("worker-1", OLD, "worker");
            each.awaitOpen("worker-1", NEW);
        }
    }

    @AfterEach
    void end() {
        a.close();
        b.close();
    }

    /** Beside a cluster that takes connections and never answers; until the hub is killed. */
    @Test
    void aSyncHoldsTheRolloutsOfItsClusterAlone() {
        try (var nowhere = Cable.to(a.controlPlane().server())) {
            nowhere.block();
            var ofA = Hub.kubeconfig(a);
            var kubeconfigs = Map.of(
                    "a",
                    ofA,
                    "b",
                    Hub.kubeconfig(b),
                    "c",
                    ofA.replace(a.controlPlane().server(), nowhere.url()));
            create("payments", "{\"name\": \"a\", \"server\": null}");
            create("stock", "{\"server\": \"%s/\"}".formatted(b.controlPlane().server()));
            create("lost", "{\"name\": \"c\", \"server\": null}");
            create("here", "{\"server\": \"https://kubernetes.default.svc\"}");
            var hub = Hub.service(b.controlPlane(), "hub", kubeconfigs).start();
            applications.startSync("lost");
            applications.startSync("here");
            await("c does not answer")
                    .atMost(Patience.LIMIT)
                    .until(() -> hub.log().contains("syncs cannot be announced in cluster c"));

            holdsWhileItRuns("payments", a, b);
            holdsWhileItRuns("stock", b, a);
            assertThat(hub.metrics()).contains("gitops_interlock_hub_leases{cluster=\"a\"");
            assertThat(metric(hub, "leases", "a")).isZero();
            assertThat(metric(hub, "write_failures_total", "a")).isZero();
            assertThat(metric(hub, "write_failures_total", "c")).isPositive();

            applications.startSync("payments");
            a.awaitHeld("worker-1", NEW);
            hub.process().destroyForcibly();
            var since = System.nanoTime();
            a.awaitOpen("worker-1", NEW);
            tell("open %.1f s after the hub was killed", since);
            assertThat(leases(a)).isNotEmpty();

            applications.endSync("payments");
            try (var _ = Hub.service(b.controlPlane(), "hub", kubeconfigs).start()) {
                await("nothing left")
                        .atMost(Patience.LIMIT)
                        .until(() -> leases(a).isEmpty());
            }
        }
    }

    private void holdsWhileItRuns(String application, OpenShiftCluster held, OpenShiftCluster other) {
        var since = System.nanoTime();
        applications.startSync(application);
        held.awaitHeld("worker-1", NEW);
        tell("held %.1f s after the beginning of a sync", since);
        assertThat(held.refusal("worker-1", NEW).orElseThrow())
                .contains("held: %s.hub, announced by hub, is running; until ".formatted(application));
        assertThat(other.refusal("worker-1", NEW)).isEmpty();

        since = System.nanoTime();
        applications.endSync(application);
        held.awaitOpen("worker-1", NEW);
        tell("open %.1f s after the end of the sync", since);
        assertThat(leases(held)).isEmpty();
    }

    private void create(String application, String destination) {
        applications.create(application);
        applications.patch(application, "{\"spec\": {\"destination\": %s}}".formatted(destination));
    }

    private static String leases(OpenShiftCluster cluster) {
        return cluster.controlPlane()
                .kubectl("get", "leases", "-n", "gitops-interlock", "-o", "name")
                .orFail()
                .out();
    }

    private static double metric(Interlock hub, String name, String cluster) {
        return Metrics.of(hub.metrics()).sum("gitops_interlock_hub_" + name, "cluster=\"%s\"".formatted(cluster));
    }

    private static void tell(String what, long since) {
        System.out.printf(Locale.ROOT, "hub: " + what + "%n", (System.nanoTime() - since) / 1e9);
    }
}
