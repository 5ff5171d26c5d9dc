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
    private Programs programs;

    PortForwardToolsIT(Cluster cluster) {
        kubernetes = cluster.controlPlane();
        management = URI.create("http://" + cluster.interlock().management()).getPort();
        workspace = Workspace.in(kubernetes, "port-forward");
    }

    @BeforeEach
    void install() throws IOException {
        programs = new Programs("portforward", List.of());
        var port = programs.startPrinting("portforward", Path.of(Tool.program("portforward")));
        var node = workspace.namespace();
        workspace.apply("""
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                """.formatted(node));
        kubernetes
                .kubectl("patch", "node", node, "--subresource=status", "--patch", """
                        {"status": {"addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
                          "daemonEndpoints": {"kubeletEndpoint": {"Port": %s}}}}
                        """.formatted(port))
                .orFail();
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
        workspace.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: gate-0, labels: {app: gate, testbed.gitops-interlock.dev/outcome: run}}
                spec:
                  nodeName: %s
                  containers: [{name: main, image: "registry.example/gate:1"}]
                """.formatted(node));
        workspace
                .kubectl("wait", "--for=condition=Ready", "pod/gate-0", "--timeout=300s")
                .orFail();
    }

    @AfterEach
    void remove() {
        kubernetes.kubectl("delete", "node", workspace.namespace()).orFail();
        programs.close();
    }

    @Test
    void leadsToThePage() throws IOException, InterruptedException {
        var out = new StringWriter();
        var errors = new StringWriter();
        var code = new AtomicInteger(-1);
        var running = Thread.ofPlatform()
                .start(() ->
                        code.set(dashboard(new PrintWriter(out), new PrintWriter(errors), workspace.kubeconfig())));
        await("its address").atMost(Patience.LIMIT).until(() -> out.toString().contains("Ctrl-C") || code.get() >= 0);
        assertThat(errors.toString()).isEmpty();
        var address = URI.create(out.toString().lines().findFirst().orElseThrow());
        assertThat(address.getPort()).isNotEqualTo(management);

        var page = get(address);
        var style = get(address.resolve("status/style.css"));
        running.interrupt();
        running.join();

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("What is guarded", "Last edits").endsWith("</html>\n");
        assertThat(style.statusCode()).isEqualTo(200);
        assertThat(code).hasValue(ExitCode.NOTHING_FOUND);
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
        var errors = new StringWriter();

        var code = dashboard(
                new PrintWriter(new StringWriter()),
                new PrintWriter(errors),
                kubernetes.plainKubeconfig(workspace.namespace(), "reader"));

        assertThat(code).isEqualTo(ExitCode.TROUBLE);
        assertThat(errors.toString()).contains("cannot create resource \"pods/portforward\"");
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
