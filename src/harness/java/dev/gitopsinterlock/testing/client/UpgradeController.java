package dev.gitopsinterlock.testing.client;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.bed.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;

/**
 * The system-upgrade-controller beside a control plane. It is {@code system:serviceaccount:system-upgrade:system-upgrade},
 * as in its own manifests, may do everything, and brings the definition of Plans.
 */
public final class UpgradeController implements AutoCloseable {

    /** Of its Plans and their Jobs. */
    public static final String NAMESPACE = "system-upgrade";

    /** Who it is. */
    public static final String USER = "system:serviceaccount:" + NAMESPACE + ":system-upgrade";

    private final Programs programs;

    private UpgradeController(Programs programs) {
        this.programs = programs;
    }

    /** Builds what is missing, which takes minutes the first time, and does not wait. */
    public static UpgradeController start(ControlPlane kubernetes) {
        try {
            kubernetes.createNamespace(NAMESPACE);
            var programs = new Programs("upgradecontroller", List.of());
            programs.start(
                    "controller",
                    Redirect.DISCARD,
                    Path.of(Tool.program("upgradecontroller")),
                    "--kubeconfig=" + kubernetes.kubeconfig(NAMESPACE, "system-upgrade"),
                    "--namespace=" + NAMESPACE,
                    "--name=system-upgrade-controller",
                    "--node-name=control-plane");
            return new UpgradeController(programs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        programs.close();
    }
}
