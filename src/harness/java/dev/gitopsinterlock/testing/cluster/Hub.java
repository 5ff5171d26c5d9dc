package dev.gitopsinterlock.testing.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.text.Example;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A hub and clusters that its syncs go to, set up as {@code examples/hub} says. */
public final class Hub {

    private static final String NAMESPACE = "gitops-interlock";
    private static final Example EXAMPLE = Example.of("hub");

    private Hub() {}

    /** A cluster in which Leases hold rollouts; pool and Node have nothing to do. */
    public static OpenShiftCluster managedCluster() {
        var cluster = OpenShiftCluster.with(
                settings -> settings.with("gitops-interlock.machine-configs.lease-namespaces", NAMESPACE));
        var controlPlane = cluster.controlPlane();
        Registration.allowIn(controlPlane, NAMESPACE, "list,watch", "leases");
        controlPlane
                .kubectl(
                        "apply",
                        "-f",
                        EXAMPLE.folder().resolve("managed-cluster.yaml").toString())
                .orFail();
        return cluster;
    }

    /** What the hub gets: the example makes it of what an administrator has. */
    public static String kubeconfig(OpenShiftCluster cluster) {
        var controlPlane = cluster.controlPlane();
        await("token")
                .atMost(Patience.LIMIT)
                .until(() -> !controlPlane
                        .kubectl(
                                "get",
                                "secret",
                                "gitops-interlock-hub",
                                "-n",
                                NAMESPACE,
                                "-o",
                                "jsonpath={.data.token}")
                        .out()
                        .isEmpty());
        var context =
                controlPlane.kubectl("config", "current-context").orFail().out().strip();
        return Command.run(
                        Map.of(
                                "KUBECONFIG",
                                controlPlane.adminKubeconfig().toString(),
                                "PATH",
                                controlPlane.kubectlProgram().getParent() + ":" + System.getenv("PATH")),
                        List.of(EXAMPLE.folder().resolve("kubeconfig").toString(), context))
                .orFail()
                .out();
    }

    /** The service on a hub, where it does nothing else. Its account has its rights already. */
    public static Interlock.Builder service(ControlPlane hub, String argoCd, Map<String, String> kubeconfigs) {
        var files = MountedSecret.of(kubeconfigs.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().getBytes(UTF_8))));
        return Interlock.serving(hub.webhookCertificates())
                .watching(hub)
                .with("gitops-interlock.machine-configs.sync-hold", "Disabled")
                .with("gitops-interlock.argo-cd.namespaces", argoCd)
                .with("gitops-interlock.hub.directory", files.directory().toString());
    }
}
