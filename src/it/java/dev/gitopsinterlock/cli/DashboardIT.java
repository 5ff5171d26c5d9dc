package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** As far as the real kubectl and the real API server come without a kubelet, which is what forwards a port. */
@ExtendWith(Cluster.Extension.class)
class DashboardIT {

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: gate, labels: {app.kubernetes.io/name: gitops-interlock}}
            spec:
              replicas: 0
              selector: {matchLabels: {app: gate}}
              template:
                metadata: {labels: {app: gate}}
                spec:
                  containers: [{name: main, image: "registry.example/gate:1"}]
            """;

    private final Cluster cluster;

    DashboardIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void kubectlIsAskedForThePodOfTheInstallation() {
        var workspace = Workspace.in(cluster.controlPlane(), "dashboard");
        workspace.apply(DEPLOYMENT);
        workspace.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: gate-0}
                spec:
                  containers: [{name: main, image: "registry.example/gate:1"}]
                """);

        assertThat(dashboard(workspace, "gate-1").errors()).contains("pods \"gate-1\" not found");
        var pending = dashboard(workspace, "gate-0");
        assertThat(pending.errors()).contains("unable to forward port because pod is not running");
        assertThat(pending.code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(pending.out()).isEmpty();
    }

    private Run dashboard(Workspace workspace, String pod) {
        return Run.on(
                cluster.controlPlane(),
                workspace.kubeconfig(),
                "dashboard",
                "--namespace",
                workspace.namespace(),
                "--pod",
                pod);
    }
}
