package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The whole way to a status page: the command line, kubectl, the API server, what forwards ports in a kubelet, and the
 * service, whose Pod's ports are those of 127.0.0.1.
 */
@RequiresTools("portforward")
@ExtendWith(Cluster.Extension.class)
class PortForwardToolsIT {

    private final ControlPlane kubernetes;
    private final int management;
    private final Workspace workspace;
    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();
    private final AtomicInteger code = new AtomicInteger(-1);
    private Programs programs;

    PortForwardToolsIT(Cluster cluster) {
        kubernetes = cluster.controlPlane();
        management = URI.create("http://" + cluster.interlock().management()).getPort();
        workspace = Workspace.in(kubernetes, "port-forward");
    }

    @BeforeEach
    void install() throws IOException {
        workspace.apply("""
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                """.formatted(workspace.namespace()));
        startKubelet();
        workspace.apply("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: gate, labels: {app.kubernetes.io/name: gitops-interlock}}
                spec:
                  selector: {matchLabels: {app: gate}}
                  template:
                    metadata: {labels: {app: gate}}
                    spec:
                      containers:
                      - name: main
                        image: registry.example/gate:1
                        ports: [{name: management, containerPort: %d}]
                """.formatted(management));
        start("gate-0");
    }

    private void startKubelet() throws IOException {
        programs = new Programs("portforward", List.of());
        var port = programs.startPrinting("portforward", Path.of(Tool.program("portforward")));
        kubernetes
                .kubectl("patch", "node", workspace.namespace(), "--subresource=status", "--patch", """
                        {"status": {"addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
                          "daemonEndpoints": {"kubeletEndpoint": {"Port": %s}}}}
                        """.formatted(port))
                .orFail();
    }

    private void start(String pod) {
        workspace.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {app: gate, testbed.gitops-interlock.dev/outcome: run}}
                spec:
                  nodeName: %s
                  containers: [{name: main, image: "registry.example/gate:1"}]
                """.formatted(pod, workspace.namespace()));
        workspace
                .kubectl("wait", "--for=condition=Ready", "pod/" + pod, "--timeout=300s")
                .orFail();
    }

    @AfterEach
    void remove() {
        kubernetes.kubectl("delete", "node", workspace.namespace()).orFail();
        programs.close();
    }

    @Test
    void leadsToThePage() throws IOException, InterruptedException {
        var running = open();

        var page = get(address());
        var style = get(address().resolve("status/style.css"));
        end(running);

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("What is guarded", "Last edits").endsWith("</html>\n");
        assertThat(style.statusCode()).isEqualTo(200);
    }

    /** As in a rollout: what forwarded to the Pod is gone, too. */
    @Test
    void goesOnWithAnotherReplicaWhenItsOwnIsGone() throws IOException, InterruptedException {
        var running = open();
        assertThat(out.toString()).contains("Replica gate-0\n");
        start("gate-1");
        workspace.kubectl("delete", "pod", "gate-0", "--now").orFail();
        programs.close();
        startKubelet();

        await("the other one")
                .atMost(Patience.LIMIT)
                .until(() ->
                        out.toString().contains("Replica gate-0 is gone; this is now gate-1\n") || code.get() >= 0);

        assertThat(errors.toString()).isEmpty();
        assertThat(get(address()).statusCode()).isEqualTo(200);
        end(running);
    }

    @Test
    void isKubernetesToForbid() {
        workspace.kubectl("create", "serviceaccount", "reader").orFail();
        workspace
                .kubectl(
                        "create",
                        "rolebinding",
                        "reader",
                        "--clusterrole=view",
                        "--serviceaccount=" + workspace.namespace() + ":reader")
                .orFail();

        var forbidden = dashboard(
                new PrintWriter(new StringWriter()),
                new PrintWriter(errors),
                kubernetes.plainKubeconfig(workspace.namespace(), "reader"));

        assertThat(forbidden).isEqualTo(ExitCode.TROUBLE);
        assertThat(errors.toString()).contains("cannot create resource \"pods/portforward\"");
    }

    private Thread open() {
        var running = Thread.ofPlatform()
                .start(() ->
                        code.set(dashboard(new PrintWriter(out), new PrintWriter(errors), workspace.kubeconfig())));
        await("its address").atMost(Patience.LIMIT).until(() -> out.toString().contains("Ctrl-C") || code.get() >= 0);
        assertThat(errors.toString()).isEmpty();
        assertThat(address().getPort()).isNotEqualTo(management);
        return running;
    }

    private URI address() {
        return URI.create(out.toString().lines().findFirst().orElseThrow());
    }

    /** As Ctrl-C does. */
    private void end(Thread running) throws InterruptedException {
        running.interrupt();
        running.join();
        assertThat(code).hasValue(ExitCode.NOTHING_FOUND);
    }

    private int dashboard(PrintWriter out, PrintWriter errors, Path kubeconfig) {
        return Interlock.commandLine(InputStream.nullInputStream(), Path.of(""), Interlock.NAME, out, errors)
                .execute(
                        "dashboard",
                        "--kubectl",
                        kubernetes.kubectlProgram().toString(),
                        "--kubeconfig",
                        kubeconfig.toString(),
                        "--namespace",
                        workspace.namespace());
    }

    private static HttpResponse<String> get(URI address) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        }
    }
}
