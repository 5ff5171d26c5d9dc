package dev.gitopsinterlock.testing;

/**
 * A control plane with the service registered in it, shared by all tests of a run. A test class asks for it as a
 * parameter, with {@code @ExtendWith(Cluster.Extension.class)}, and works in a namespace of its own.
 *
 * @param controlPlane the API server
 * @param interlock the service that it asks
 */
public record Cluster(ControlPlane controlPlane, Interlock interlock) implements AutoCloseable {

    /** One that no other test shares. */
    public static Cluster start() {
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
    public static final class Extension extends OncePerRun<Cluster> {

        public Extension() {
            super(Cluster.class, context -> start());
        }
    }
}
