package dev.gitopsinterlock.it.gate;

import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import org.junit.jupiter.api.Test;

/** Rollouts wait for syncs in a Namespace while it is labelled as a source of an Argo CD, on the real API server. */
class SourceNamespacesIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";

    @Test
    void aSyncCountsWhileTheLabelNamesAnArgoCdThatCounts() {
        try (var cluster = OpenShiftCluster.with(
                settings -> settings.with("gitops-interlock.argo-cd.source-namespaces", "true"))) {
            cluster.rendered(OLD);
            cluster.rendered(NEW);
            cluster.pool("worker", NEW, "{}");
            cluster.node("worker-1", OLD, "worker");
            var team = Applications.in(cluster.controlPlane(), "team-a");
            team.create("shop");
            team.startSync("shop");
            cluster.awaitOpen("worker-1", NEW);

            label(cluster, "=argocd");
            cluster.awaitHeld("worker-1", NEW);

            label(cluster, "=another");
            cluster.awaitOpen("worker-1", NEW);

            label(cluster, "=openshift-gitops");
            cluster.awaitHeld("worker-1", NEW);

            label(cluster, "-");
            cluster.awaitOpen("worker-1", NEW);
        }
    }

    private static void label(OpenShiftCluster cluster, String value) {
        cluster.controlPlane()
                .kubectl(
                        "label",
                        "namespace",
                        "team-a",
                        "--overwrite",
                        "argocd.argoproj.io/managed-by-cluster-argocd" + value)
                .orFail();
    }
}
