package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
        var all = new ArrayList<>(List.of(
                "status",
                "--kubectl",
                controlPlane.kubectlProgram().toString(),
                "--kubeconfig",
                kubeconfig.toString()));
        all.addAll(List.of(arguments));
        return Run.in(Path.of(""), all.toArray(String[]::new));
    }
}
