package dev.gitopsinterlock.testing.client;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.OncePerRun;
import dev.gitopsinterlock.testing.run.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Flux's kustomize-controller beside a control plane, with the settings of Flux's own manifests. It is
 * {@code system:serviceaccount:flux-system:kustomize-controller}, may do everything and watches all namespaces.
 *
 * <p>There is no source-controller: {@link FluxKustomization#publish} does for a commit what that would do.
 */
public final class Flux implements OncePerRun.Shared {

    static final String NAMESPACE = "flux-system";

    private static final String CONTROLLER = "kustomize-controller";

    private final ControlPlane kubernetes;
    private final Programs programs;
    private final Path artifacts;
    private final HttpServer server;

    private Flux(ControlPlane kubernetes) throws IOException {
        this.kubernetes = kubernetes;
        programs = new Programs(
                "flux",
                List.of(
                        "KUBECONFIG=" + kubernetes.kubeconfig(NAMESPACE, CONTROLLER),
                        "RUNTIME_NAMESPACE=" + NAMESPACE));
        artifacts = Files.createDirectory(programs.home().resolve("artifacts"));
        server = SimpleFileServer.createFileServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                artifacts.toAbsolutePath(),
                OutputLevel.NONE);
        server.start();
    }

    /** Builds what is missing, which takes minutes the first time, and waits until the controller is ready. */
    public static Flux start(ControlPlane kubernetes) {
        try {
            var flux = new Flux(kubernetes);
            try {
                kubernetes.addDefinitionsOf("flux");
                flux.launch();
                return flux;
            } catch (IOException | RuntimeException | Error e) {
                flux.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For example {@code Flux kustomize-controller 1.9.6}. */
    public static String words() {
        return "Flux kustomize-controller " + Tool.version("flux", "github.com/fluxcd/kustomize-controller");
    }

    /** The Kustomization of this name, with a source of the same name, whether they exist or not. */
    public FluxKustomization kustomization(String name) {
        var url = "http://127.0.0.1:" + server.getAddress().getPort();
        return new FluxKustomization(kubernetes, name, artifacts, url);
    }

    private void launch() throws IOException {
        int health = Ports.free();
        programs.startHealthy(
                CONTROLLER,
                "http://127.0.0.1:" + health + "/readyz",
                Path.of(Tool.program("flux")),
                "--watch-all-namespaces",
                "--health-addr=127.0.0.1:" + health,
                "--metrics-addr=127.0.0.1:" + Ports.free(),
                "--log-level=debug",
                "--log-encoding=json");
    }

    @Override
    public void keep() {
        kubernetes.keep();
    }

    @Override
    public void close() {
        programs.close();
        server.stop(0);
    }

    /** Starts Flux beside the shared {@link Cluster} with the first test that asks for it; ends it with the run. */
    public static final class Extension extends OncePerRun<Flux> {

        public Extension() {
            super(
                    Flux.class,
                    context -> start(new Cluster.Extension().in(context).controlPlane()));
        }
    }
}
