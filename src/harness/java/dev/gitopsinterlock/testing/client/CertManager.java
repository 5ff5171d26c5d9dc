package dev.gitopsinterlock.testing.client;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.bed.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;

/**
 * cert-manager beside a control plane: its controller and its cainjector, each with all rights and in a process of its
 * own. What they did shows in the API.
 */
public final class CertManager implements AutoCloseable {

    private static final String NAMESPACE = "cert-manager";

    private final ControlPlane kubernetes;
    private Programs controller;
    private Programs injector;

    private CertManager(ControlPlane kubernetes) {
        this.kubernetes = kubernetes;
        controller = start(kubernetes, "controller");
        injector = start(kubernetes, "cainjector");
    }

    /** Builds what is missing, which takes minutes the first time, and does not wait. */
    public static CertManager start(ControlPlane kubernetes) {
        kubernetes.addDefinitionsOf("certmanager");
        return new CertManager(kubernetes);
    }

    /** From now on nobody tells the API server whom to trust. */
    public void stopInjector() {
        injector.close();
    }

    public void startInjector() {
        injector = start(kubernetes, "cainjector");
    }

    /** From now on nobody renews anything. */
    public void stopController() {
        controller.close();
    }

    public void startController() {
        controller = start(kubernetes, "controller");
    }

    /** For example {@code cert-manager 1.21.2}. */
    public static String words() {
        return "cert-manager " + Tool.version("certmanager", "github.com/cert-manager/cert-manager");
    }

    private static Programs start(ControlPlane kubernetes, String part) {
        try {
            var programs =
                    new Programs("cert-manager", List.of("KUBECONFIG=" + kubernetes.kubeconfig(NAMESPACE, part)));
            programs.start(part, Redirect.DISCARD, Path.of(Tool.program("certmanager")), part);
            return programs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        injector.close();
        controller.close();
    }
}
