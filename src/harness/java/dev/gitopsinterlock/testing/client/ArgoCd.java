package dev.gitopsinterlock.testing.client;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.OncePerRun;
import dev.gitopsinterlock.testing.run.Ports;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * Argo CD's application controller and repo-server beside a control plane, with the settings of Argo CD's own
 * manifests. The controller is {@code system:serviceaccount:argocd:argocd-application-controller} and may do everything.
 */
public final class ArgoCd implements OncePerRun.Shared {

    private final ControlPlane kubernetes;
    private final Programs programs;

    private ArgoCd(ControlPlane kubernetes) throws IOException {
        this.kubernetes = kubernetes;
        programs = new Programs(
                "argocd",
                List.of(
                        "KUBECONFIG="
                                + kubernetes.kubeconfig(ArgoApplication.NAMESPACE, "argocd-application-controller"),
                        "ARGOCD_FAKE_IN_CLUSTER=true",
                        "ARGOCD_GPG_ENABLED=false",
                        "ARGOCD_ASK_PASS_SOCK=ask-pass.sock",
                        "ARGOCD_RECONCILIATION_TIMEOUT=10s",
                        "ARGOCD_RECONCILIATION_JITTER=0s",
                        // by default it heals at once, even before it has seen the end of its own sync
                        "ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_BACKOFF_TIMEOUT_SECONDS=0",
                        "ARGOCD_APPLICATION_CONTROLLER_SELF_HEAL_TIMEOUT_SECONDS=5"));
    }

    /** Builds what is missing, which takes minutes the first time, and waits until the controller is at work. */
    public static ArgoCd start(ControlPlane kubernetes) {
        return start(kubernetes, Map.of());
    }

    /** The same with settings in ConfigMap argocd-cm. */
    public static ArgoCd start(ControlPlane kubernetes, Map<String, String> settings) {
        try {
            var argoCd = new ArgoCd(kubernetes);
            try {
                argoCd.install(settings);
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

    /** For example {@code Argo CD 3.6.1}. */
    public static String words() {
        return "Argo CD " + Tool.version("argocd", "github.com/argoproj/argo-cd/v3");
    }

    /** Whether it is one that compares by Server-Side Diff only where it is told to. */
    public static boolean isBefore36() {
        return words().startsWith("Argo CD 3.5.");
    }

    /** The Application of this name, whether it exists or not. */
    public ArgoApplication application(String name) {
        return new ArgoApplication(kubernetes, name);
    }

    private void install(Map<String, String> settings) {
        kubernetes.addDefinitionsOf("argocd");
        kubernetes.createNamespace(ArgoApplication.NAMESPACE);
        kubectl("apply", "-k", source("manifests/base/config").toString()).orFail();
        // What Argo CD's API server, which is not here, adds when it starts.
        kubectl("patch", "secret", "argocd-secret", "-p", "{\"stringData\": {\"server.secretkey\": \"anything\"}}")
                .orFail();
        var data = Trees.JSON.createObjectNode();
        data.set("data", Trees.JSON.valueToTree(settings));
        kubectl("patch", "configmap", "argocd-cm", "--type=merge", "-p", data.toString())
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
        var definition = Tool.definitions("argocd").getFirst(); // manifests/crds/...
        return definition.resolve("../../..").resolve(path).normalize();
    }

    private void launchAll() throws IOException {
        var redis = programs.startPrinting("redis", Path.of(Tool.program("redis")));
        // The repo-server calls it for every commit; it needs no more than Git where nothing is signed.
        var verification =
                Files.copy(source("hack/git-verify-wrapper.sh"), programs.home().resolve("git-verify-wrapper.sh"));
        Files.setPosixFilePermissions(verification, PosixFilePermissions.fromString("rwx------"));
        // by which it renders charts
        Files.createSymbolicLink(programs.home().resolve("helm"), Path.of(Tool.program("helm3")));
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

    /** Starts the controller of ApplicationSets, too, with progressive syncs, which are off by default. */
    public void startProgressiveSyncs() {
        int metrics = Ports.free();
        try {
            launchComponent(
                    "argocd-applicationset-controller",
                    "http://127.0.0.1:" + metrics + "/metrics",
                    "--namespace=" + ArgoApplication.NAMESPACE,
                    "--enable-progressive-syncs",
                    "--metrics-addr=127.0.0.1:" + metrics,
                    "--probe-addr=127.0.0.1:" + Ports.free(),
                    "--webhook-addr=127.0.0.1:" + Ports.free());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The program takes its part, and its name towards the API server, from the name that it is started by. */
    private void launchComponent(String name, String health, String... arguments) throws IOException {
        var program = Files.createSymbolicLink(programs.home().resolve(name), Path.of(Tool.program("argocd")));
        programs.startHealthy(name, health, program, arguments);
    }

    private Command.Result kubectl(String... arguments) {
        return ArgoApplication.kubectl(kubernetes, arguments);
    }

    @Override
    public void keep() {
        kubernetes.keep();
    }

    @Override
    public void close() {
        programs.close();
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
