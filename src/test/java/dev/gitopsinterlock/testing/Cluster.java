package dev.gitopsinterlock.testing;

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

    /** The one of this run. */
    static Cluster of(ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(Cluster.class))
                .computeIfAbsent(Cluster.class, key -> start(), Cluster.class);
    }

    private static Cluster start() {
        var controlPlane = ControlPlane.start();
        var registration = Registration.in(controlPlane);
        var interlock = Interlock.serving(controlPlane.webhookCertificates())
                .watching(controlPlane)
                .start();
        registration.of(interlock);
        return new Cluster(controlPlane, interlock);
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
            return of(context);
        }
    }
}
