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

    private Kyverno(ControlPlane kubernetes) throws IOException {
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
        process = programs.start(
                CONTROLLER,
                Redirect.DISCARD,
                Path.of(Tool.program("kyverno")),
                "--kubeconfig=" + kubernetes.kubeconfig(NAMESPACE, CONTROLLER),
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
                "--disableLogColor=true");
    }

    /** Builds what is missing, which takes long the first time, and does not wait. */
    public static Kyverno start(ControlPlane kubernetes) {
        kubernetes.addDefinitionsOf("kyverno");
        try {
            return new Kyverno(kubernetes);
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
