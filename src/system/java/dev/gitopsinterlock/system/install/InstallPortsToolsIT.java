package dev.gitopsinterlock.system.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.cli.Interlock;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a Pod's ports answer to whom: to its own inside, to others by its address, and through {@code dashboard}, kubectl, the
 * API server, the kubelet and containerd.
 */
@OnNode
@TestInstance(Lifecycle.PER_CLASS)
class InstallPortsToolsIT {

    private static final String PAGE = "http://%s:9000/";

    private final Platform platform;
    private final Release release;

    InstallPortsToolsIT(Platform platform, @TempDir Path home) {
        this.platform = platform;
        release = platform.release(home);
    }

    @BeforeAll
    void install() {
        release.helm(Helm.HELM_4, "install", "--wait", "--timeout", "5m", "--set", "certificates.mode=selfManaged")
                .orFail();
    }

    @AfterAll
    void end() {
        release.close();
    }

    /** A Pod of a dual-stack cluster is called at addresses of both families; it listens on all that it has. */
    @Test
    void theServiceAnswersOnBothFamilies() throws IOException {
        var pod = pod();
        assumeTrue(
                Files.readString(Path.of("/proc/" + pod + "/net/if_inet6")).contains(" lo"),
                "not run: this machine has no IPv6 loopback");
        for (var address : List.of("127.0.0.1", "[::1]")) {
            assertThat(curl(ControlPlane.onNetworkOf(pod, "curl"), "https://" + address + ":10250/"))
                    .as(address)
                    .isEqualTo("404");
        }
    }

    /** Who comes by the Pod's address is outside; a forwarded port comes from inside. */
    @Test
    void theStatusPageIsShownToTheInsideOfThePodAlone() {
        var address = release.kubectl("get", "pods", "-o", "jsonpath={.items[0].status.podIP}")
                .out();
        var outside = platform.kubernetes().onNode("curl");

        assertThat(curl(ControlPlane.onNetworkOf(pod(), "curl"), PAGE.formatted("127.0.0.1")))
                .isEqualTo("200");
        assertThat(curl(outside, PAGE.formatted(address))).isEqualTo("403");
        assertThat(curl(outside, PAGE.formatted(address) + "q/metrics")).isEqualTo("200");
    }

    @Test
    void dashboardLeadsToThePage() throws IOException, InterruptedException {
        try (var dashboard = new Dashboard(platform.kubernetes().adminKubeconfig())) {
            var page = get(dashboard.address());

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("What is guarded", "Last edits").endsWith("</html>\n");
            assertThat(get(dashboard.address().resolve("status/style.css")).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void dashboardGoesOnWithAnotherReplicaInARollout() throws IOException, InterruptedException {
        try (var dashboard = new Dashboard(platform.kubernetes().adminKubeconfig())) {
            var address = dashboard.address();
            var before = release.podNames();
            release.kubectl("rollout", "restart", "deployment/" + Release.NAME).orFail();
            release.awaitReplaced(before);

            // kubectl notices when somebody asks
            await("a new one")
                    .atMost(Patience.LIMIT)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(
                            () -> get(address).statusCode() == 200 ? release.podNames() : Set.<String>of(),
                            pods -> pods.stream()
                                    .anyMatch(pod -> dashboard.says("is gone; this is now " + pod + "\n")));
            assertThat(get(address).statusCode()).isEqualTo(200);
            assertThat(dashboard.errors.toString()).isEmpty();
        }
    }

    @Test
    void dashboardIsKubernetesToForbid() {
        release.kubectl("create", "serviceaccount", "reader").orFail();
        release.kubectl(
                        "create",
                        "rolebinding",
                        "reader",
                        "--clusterrole=view",
                        "--serviceaccount=" + release.namespace() + ":reader")
                .orFail();
        var kubeconfig = platform.kubernetes().plainKubeconfig(release.namespace(), "reader");

        var forbidden = new Dashboard(kubeconfig);

        forbidden.awaitEnd(3);
        assertThat(forbidden.errors.toString()).contains("cannot create resource \"pods/portforward\"");
    }

    /** The command, which runs until it is closed. */
    private final class Dashboard implements AutoCloseable {

        private final StringWriter out = new StringWriter();
        private final StringWriter errors = new StringWriter();
        private final AtomicInteger code = new AtomicInteger(-1);
        private final Thread thread;

        Dashboard(Path kubeconfig) {
            thread = Thread.ofPlatform()
                    .start(() -> code.set(Interlock.commandLine()
                            .setOut(new PrintWriter(out))
                            .setErr(new PrintWriter(errors))
                            .execute(
                                    "dashboard",
                                    "--kubectl",
                                    platform.kubernetes().kubectlProgram().toString(),
                                    "--kubeconfig",
                                    kubeconfig.toString(),
                                    "--namespace",
                                    release.namespace())));
        }

        boolean says(String words) {
            return out.toString().contains(words);
        }

        URI address() {
            await("its address").atMost(Patience.LIMIT).until(() -> says("Ctrl-C") || code.get() >= 0);
            assertThat(errors.toString()).isEmpty();
            return URI.create(out.toString().lines().findFirst().orElseThrow());
        }

        /** As Ctrl-C does. */
        @Override
        public void close() {
            thread.interrupt();
            awaitEnd(0);
        }

        void awaitEnd(int wanted) {
            await("its end").atMost(Patience.LIMIT).until(() -> !thread.isAlive());
            assertThat(code).hasValue(wanted);
        }
    }

    /** The process of one of the Pods. */
    private String pod() {
        var pod = release.podNames().iterator().next();
        return Long.toString(release.process(pod).pid());
    }

    /** The status of the answer. */
    private static String curl(List<String> curl, String address) {
        var command = Stream.concat(
                curl.stream(),
                Stream.of("--silent", "--insecure", "--output", "/dev/null", "--write-out", "%{http_code}", address));
        return Command.run(Map.of(), command.toList()).orFail().out();
    }

    private static HttpResponse<String> get(URI address) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        }
    }
}
