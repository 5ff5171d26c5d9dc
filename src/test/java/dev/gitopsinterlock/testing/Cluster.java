package dev.gitopsinterlock.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Base64;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A control plane with the service registered in it, shared by all tests of a run. A test class asks for it as a
 * parameter, with {@code @ExtendWith(Cluster.Extension.class)}, and works in a namespace of its own.
 *
 * @param controlPlane the API server
 * @param interlock the service that it asks
 */
public record Cluster(ControlPlane controlPlane, Interlock interlock) implements AutoCloseable {

    static Cluster start() {
        var controlPlane = ControlPlane.start();
        apply(controlPlane, read("testbed/rbac.yaml"));
        var interlock = Interlock.serving(controlPlane.webhookCertificates())
                .watching(controlPlane)
                .start();
        register(controlPlane, interlock);
        awaitFirstAnswer(controlPlane);
        return new Cluster(controlPlane, interlock);
    }

    /** The API server notices a registration after a moment. */
    private static void awaitFirstAnswer(ControlPlane controlPlane) {
        controlPlane.createNamespace("canary");
        controlPlane
                .kubectl("-n", "canary", "create", "job", "canary", "--image=one")
                .orFail();
        await("registration in effect")
                .until(() -> controlPlane
                        .kubectl("-n", "canary", "set", "image", "job/canary", "canary=two", "--dry-run=server")
                        .text()
                        .contains("gitops-interlock"));
    }

    private static void register(ControlPlane controlPlane, Interlock interlock) {
        try {
            var ca = Base64.getEncoder()
                    .encodeToString(Files.readAllBytes(
                            controlPlane.webhookCertificates().resolve("ca.crt")));
            apply(
                    controlPlane,
                    read("testbed/registrations.yaml")
                            .replace("${URL}", interlock.url())
                            .replace("${CA_BUNDLE}", ca));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void apply(ControlPlane controlPlane, String yaml) {
        var objects = new ByteArrayInputStream(yaml.getBytes(UTF_8));
        controlPlane.admin().load(objects).serverSideApply();
    }

    private static String read(String file) {
        try {
            return Files.readString(Project.directory().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        interlock.close();
        controlPlane.close();
    }

    /** Starts the cluster with the first test that asks for it and ends it with the run. */
    public static final class Extension implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Cluster.class;
        }

        @Override
        public Cluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(Namespace.create(Cluster.class))
                    .computeIfAbsent(Cluster.class, key -> start(), Cluster.class);
        }
    }
}
