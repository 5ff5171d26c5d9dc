package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code gitops-interlock status} says of a control plane. */
public final class ClusterStatus {

    private static final String NAMESPACE = "gitops-interlock";

    private ClusterStatus() {}

    /** Its text, as the administrator sees it. */
    public static String of(ControlPlane controlPlane, String... arguments) {
        var run = with(controlPlane, controlPlane.adminKubeconfig(), arguments);
        assertThat(run.errors()).isEmpty();
        return run.out();
    }

    /** The same by what {@link #deployed} has put there: webhooks of test beds are called by URL, which tells no Namespace. */
    public static String ofDeployed(ControlPlane controlPlane) {
        return of(controlPlane, "--namespace", NAMESPACE);
    }

    /** Puts settings of the service, by the ends of their variables' names, where those find them who look from outside. */
    public static void deployed(ControlPlane controlPlane, Map<String, String> settings) {
        var variables = settings.entrySet().stream()
                .map(each -> "{name: GITOPS_INTERLOCK_%s, value: '%s'}".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
        controlPlane
                .kubectl("apply", "-n", NAMESPACE, "-f", controlPlane.file("""
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata: {name: gitops-interlock, labels: {app.kubernetes.io/name: gitops-interlock}}
                        spec:
                          replicas: 0
                          selector: {matchLabels: {app: gitops-interlock}}
                          template:
                            metadata: {labels: {app: gitops-interlock}}
                            spec:
                              containers:
                                - name: gitops-interlock
                                  image: registry.example/gitops-interlock:1
                                  env: [%s]
                        """.formatted(variables)))
                .orFail();
    }

    static Run with(ControlPlane controlPlane, Path kubeconfig, String... arguments) {
        return Run.on(controlPlane, kubeconfig, "status", arguments);
    }
}
