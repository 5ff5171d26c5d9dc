package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import java.nio.file.Path;

/** What {@code gitops-interlock status} says of a control plane. */
public final class ClusterStatus {

    private ClusterStatus() {}

    /** Its text, as the administrator sees it. */
    public static String of(ControlPlane controlPlane) {
        var run = with(controlPlane, controlPlane.adminKubeconfig());
        assertThat(run.errors()).isEmpty();
        return run.out();
    }

    static Run with(ControlPlane controlPlane, Path kubeconfig, String... arguments) {
        return Run.on(controlPlane, kubeconfig, "status", arguments);
    }
}
