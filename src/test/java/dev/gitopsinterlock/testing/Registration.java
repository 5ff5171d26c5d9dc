package dev.gitopsinterlock.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;

/** What a control plane knows of the service: the rights of its account, and where its webhooks are. */
public final class Registration {

    private final ControlPlane controlPlane;

    private Registration(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
    }

    /** Gives the service's account its rights. */
    public static Registration in(ControlPlane controlPlane) {
        var registration = new Registration(controlPlane);
        registration.apply(read(Project.directory().resolve("testbed/rbac.yaml")));
        return registration;
    }

    /** Leaves the rights of the service's account as they are. */
    public static Registration webhooksOnly(ControlPlane controlPlane) {
        return new Registration(controlPlane);
    }

    /** Registers a service in place of the one before, and waits until it is called. */
    public void of(Interlock interlock) {
        of(interlock.url(), 10, interlock);
    }

    /** Registers replicas that share an address. */
    public void of(String url, int timeoutSeconds, Interlock... replicas) {
        var ca = read(controlPlane.webhookCertificates().resolve("ca.crt"));
        apply(read(Project.directory().resolve("testbed/registrations.yaml"))
                .replace("${URL}", url)
                .replace("${CA_BUNDLE}", Base64.getEncoder().encodeToString(ca.getBytes(UTF_8)))
                .replace("timeoutSeconds: 10", "timeoutSeconds: " + timeoutSeconds));
        controlPlane.createNamespace("canary");
        await("registration in effect").until(() -> {
            controlPlane
                    .kubectl("-n", "canary", "create", "job", "canary", "--image=one", "--dry-run=server")
                    .orFail();
            return Arrays.stream(replicas).map(Interlock::metrics).anyMatch(Registration::knowsBothWebhooks);
        });
    }

    private static boolean knowsBothWebhooks(String metrics) {
        return metrics.contains("endpoint=\"mutate-jobs\"") && metrics.contains("endpoint=\"validate-jobs\"");
    }

    private void apply(String yaml) {
        var objects = new ByteArrayInputStream(yaml.getBytes(UTF_8));
        controlPlane.admin().load(objects).serverSideApply();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
