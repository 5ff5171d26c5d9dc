package dev.gitopsinterlock.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Argo CD's application controller and repo-server beside a control plane, with the settings of Argo CD's own
 * manifests. The controller is {@code system:serviceaccount:argocd:argocd-application-controller} and may do everything.
 */
public final class ArgoCd implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ControlPlane kubernetes;
    private final Path home;
    private final Path logs;
    private final Deque<Process> processes = new ArrayDeque<>();

    private ArgoCd(ControlPlane kubernetes) throws IOException {
        this.kubernetes = kubernetes;
        home = Files.createTempDirectory("argocd-");
        logs = Files.createTempDirectory(
                Files.createDirectories(Project.directory().resolve("target/argocd-logs")), "");
    }

    /** Builds what is missing, which takes minutes the first time, and waits until the controller is at work. */
    public static ArgoCd start(ControlPlane kubernetes) {
        try {
            var argoCd = new ArgoCd(kubernetes);
            try {
                argoCd.install();
                argoCd.launchAll();
                return argoCd;
            } catch (IOException | RuntimeException | Error e) {
                argoCd.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The Application of this name, whether it exists or not. */
    public ArgoApplication application(String name) {
        return new ArgoApplication(kubernetes, name);
    }

    private void install() {
        kubernetes.addDefinitionsOf("argocd");
        kubernetes.createNamespace(ArgoApplication.NAMESPACE);
        kubectl("apply", "-k", source("manifests/base/config").toString()).orFail();
        // What Argo CD's API server, which is not here, adds when it starts.
        kubectl("patch", "secret", "argocd-secret", "-p", "{\"stringData\": {\"server.secretkey\": \"anything\"}}")
                .orFail();
        kubectl("apply", "-f", kubernetes.file("""
                        apiVersion: argoproj.io/v1alpha1
                        kind: AppProject
                        metadata: {name: default}
                        spec:
                          sourceRepos: ["*"]
                          destinations: [{server: "*", namespace: "*"}]
                          clusterResourceWhitelist: [{group: "*", kind: "*"}]
                        """)).orFail();
    }

    /** A file of Argo CD's own. */
    private static Path source(String path) {
        var definition = ControlPlane.definitionsOf("argocd").getFirst(); // manifests/crds/...
        return definition.resolve("../../..").resolve(path).normalize();
    }

    private void launchAll() throws IOException {
        var redis = launch("redis", Redirect.PIPE, Path.of(Tool.program("redis")))
                .inputReader()
                .readLine();
        if (redis == null) {
            throw new IllegalStateException("redis did not start; see " + logs);
        }
        // The repo-server calls it for every commit; it needs no more than Git where nothing is signed.
        var verification = Files.copy(source("hack/git-verify-wrapper.sh"), home.resolve("git-verify-wrapper.sh"));
        Files.setPosixFilePermissions(verification, PosixFilePermissions.fromString("rwx------"));
        int port = Ports.free();
        int health = Ports.free();
        launchComponent(
                "argocd-repo-server",
                "http://127.0.0.1:" + health + "/healthz?full=true",
                "--address=127.0.0.1",
                "--port=" + port,
                "--metrics-address=127.0.0.1",
                "--metrics-port=" + health,
                "--redis=" + redis);
        // Its metrics are the only thing that listens on all addresses; there is no setting for that.
        int metrics = Ports.free();
        launchComponent(
                "argocd-application-controller",
                "http://127.0.0.1:" + metrics + "/healthz",
                "--namespace=" + ArgoApplication.NAMESPACE,
                "--metrics-port=" + metrics,
                "--repo-server=127.0.0.1:" + port,
                "--redis=" + redis);
    }

    /** The program takes its part, and its name towards the API server, from the name that it is started by. */
    private void launchComponent(String name, String health, String... arguments) throws IOException {
        var program = Files.createSymbolicLink(home.resolve(name), Path.of(Tool.program("argocd")));
        var process = launch(name, Redirect.DISCARD, program, arguments);
        await(name).atMost(LIMIT).until(() -> {
            if (!process.isAlive()) {
                throw new AssertionError(name + " ended; see " + logs);
            }
            return isHealthy(health);
        });
    }

    /** Starts a program with nothing of our environment; it ends with us, however we end. */
    private Process launch(String name, Redirect out, Path program, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Project.directory().resolve("testbed/testbed").toString(),
                "tied",
                "env",
                "-i",
                "PATH=" + home + ":" + System.getenv("PATH"),
                "HOME=" + home,
                "TMPDIR=" + home,
                "KUBECONFIG=" + kubernetes.kubeconfig(ArgoApplication.NAMESPACE, "argocd-application-controller"),
                "ARGOCD_FAKE_IN_CLUSTER=true",
                "ARGOCD_GPG_ENABLED=false",
                "ARGOCD_ASK_PASS_SOCK=ask-pass.sock",
                "ARGOCD_RECONCILIATION_TIMEOUT=10s",
                "ARGOCD_RECONCILIATION_JITTER=0s",
                program.toString()));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectOutput(out)
                .redirectError(logs.resolve(name + ".log").toFile())
                .start();
        processes.push(process);
        return process;
    }

    private static boolean isHealthy(String url) {
        try {
            var request = HttpRequest.newBuilder(URI.create(url))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Command.Result kubectl(String... arguments) {
        return ArgoApplication.kubectl(kubernetes, arguments);
    }

    @Override
    public void close() {
        for (var process : processes) {
            end(process);
        }
        // The repo-server leaves folders that their owner may not read.
        Command.run(Map.of(), List.of("chmod", "-R", "u+rwX", home.toString())).orFail();
        Command.run(Map.of(), List.of("rm", "-r", home.toString())).orFail();
    }

    private static void end(Process process) {
        try {
            process.getOutputStream().close();
            process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
        }
    }

    /** Starts Argo CD beside the shared {@link Cluster} with the first test that asks for it; ends it with the run. */
    public static final class Extension extends OncePerRun<ArgoCd> {

        public Extension() {
            super(
                    ArgoCd.class,
                    context -> start(new Cluster.Extension().in(context).controlPlane()));
        }
    }
}
