package dev.gitopsinterlock.testing.cluster;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.run.OncePerRun;
import dev.gitopsinterlock.testing.service.Interlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/**
 * A control plane with the service registered in it, shared by all tests of a run. A test class asks for it as a
 * parameter, with {@code @ExtendWith(Cluster.Extension.class)}, and works in a namespace of its own.
 *
 * @param controlPlane the API server
 * @param interlock the service that it asks
 */
public record Cluster(ControlPlane controlPlane, Interlock interlock) implements OncePerRun.Shared {

    private static final String UNANSWERED = "review without an answer: ";
    private static final int MOST = 20;

    /**
     * One that no other test shares.
     *
     * @param flags further ones of the API server
     */
    public static Cluster start(String... flags) {
        var controlPlane = ControlPlane.start(flags);
        var registration = Registration.in(controlPlane);
        var interlock = Interlock.serving(controlPlane.webhookCertificates())
                .watching(controlPlane)
                // changes nothing for Jobs without our label
                .with("gitops-interlock.jobs.do-not-disrupt", "true")
                .start();
        registration.of(interlock);
        return new Cluster(controlPlane, interlock);
    }

    @Override
    public void keep() {
        controlPlane.keep();
    }

    /** Tells of reviews that were not answered: a test that fails by one shows the API server's own words only. */
    @Override
    public void close() {
        tellOfUnanswered();
        interlock.close();
        controlPlane.close();
    }

    private void tellOfUnanswered() {
        try (var lines = Files.lines(controlPlane.apiServerLog())) {
            lines.filter(line -> line.contains("failing open"))
                    .limit(MOST)
                    .forEach(line -> System.out.println(UNANSWERED + line.replace(Interlock.TOKEN, "...")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the cluster with the first test that asks for it and ends it with the run. */
    public static final class Extension extends OncePerRun<Cluster> {

        public Extension() {
            super(Cluster.class, context -> start());
        }
    }
}
