package dev.gitopsinterlock.testing.client;

import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.run.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Kyverno's admission controller beside a control plane, with all rights and in a process of its own. Its webhooks stay
 * registered when it has ended, and then keep Jobs away: the control plane has to be a test's own.
 */
public final class Kyverno implements AutoCloseable {

    private static final String NAMESPACE = "kyverno";
    private static final String CONTROLLER = "kyverno-admission-controller";
    private final ControlPlane kubernetes;
    private final Programs programs;
    private final Process process;

    private Kyverno(ControlPlane kubernetes, List<String> start, Path kubeconfig) throws IOException {
        this.kubernetes = kubernetes;
        // the names of what a cluster has of it; it wants them even where there is none of it
        programs = new Programs(
                "kyverno",
                List.of(
                        "KYVERNO_NAMESPACE=" + NAMESPACE,
                        "KYVERNO_DEPLOYMENT=" + CONTROLLER,
                        "KYVERNO_SERVICEACCOUNT_NAME=" + CONTROLLER,
                        "KYVERNO_POD_NAME=" + CONTROLLER + "-0",
                        "KYVERNO_SVC=kyverno-svc",
                        "KYVERNO_ROLE_NAME=kyverno:admission-controller",
                        "INIT_CONFIG=kyverno",
                        "METRICS_CONFIG=kyverno-metrics"));
        var host = "127.0.0.1";
        int port = Ports.free();
        var command = new ArrayList<>(start);
        command.addAll(List.of(
                "--kubeconfig=" + kubeconfig,
                "--serverIP=" + host + ":" + port, // registers URLs in place of a Service
                "--webhookServerHost=" + host,
                "--webhookServerPort=" + port,
                "--caSecretName=kyverno-svc.kyverno.svc.kyverno-tls-ca",
                "--tlsSecretName=kyverno-svc.kyverno.svc.kyverno-tls-pair",
                "--tlsKeyAlgorithm=ECDSA",
                "--admissionReports=false",
                "--metricsHost=" + host,
                "--metricsPort=0",
                "--controllerRuntimeMetricsAddress=0",
                "--autoMemLimitEnabled=false",
                "--disableLogColor=true"));
        process = programs.start(CONTROLLER, Redirect.DISCARD, command);
    }

    /** Builds what is missing, which takes long the first time, and does not wait. */
    public static Kyverno start(ControlPlane kubernetes) {
        return start(kubernetes, List.of(Tool.program("kyverno")), kubernetes.kubeconfig(NAMESPACE, CONTROLLER));
    }

    /** The same on the network of a real Node, where the API server is. */
    public static Kyverno startOnNode(ControlPlane kubernetes) {
        return start(
                kubernetes,
                kubernetes.onNode(Tool.program("kyverno")),
                kubernetes.kubeconfigOnNode(NAMESPACE, CONTROLLER));
    }

    private static Kyverno start(ControlPlane kubernetes, List<String> start, Path kubeconfig) {
        kubernetes.addDefinitionsOf("kyverno");
        try {
            return new Kyverno(kubernetes, start, kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Applies ClusterPolicies and waits until its webhooks for them are registered. */
    public void enforce(String policies) {
        var file = kubernetes.file(policies);
        await("policies ready").atMost(Patience.LIMIT).until(() -> {
            if (!process.isAlive()) {
                throw new AssertionError("Kyverno ended; see " + programs.logs());
            }
            // it checks policies itself, and may be registered for that before it answers
            return kubernetes.kubectl("apply", "-f", file).exitCode() == 0
                    && kubernetes
                                    .kubectl("wait", "--for=condition=Ready", "--timeout=30s", "-f", file)
                                    .exitCode()
                            == 0;
        });
    }

    @Override
    public void close() {
        programs.close();
    }
}
