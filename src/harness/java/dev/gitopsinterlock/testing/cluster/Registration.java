package dev.gitopsinterlock.testing.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Project;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** What a control plane knows of the service: the rights of its account, and where its webhooks are. */
public final class Registration {

    private static final String ACCOUNT = "--serviceaccount=gitops-interlock:gitops-interlock";

    private final ControlPlane controlPlane;
    private final String callerToken;

    private Registration(ControlPlane controlPlane) {
        this(controlPlane, Interlock.TOKEN);
    }

    private Registration(ControlPlane controlPlane, String callerToken) {
        this.controlPlane = controlPlane;
        this.callerToken = callerToken;
    }

    /** Gives the service's account its rights, with those to carry edits out as the version offers it. */
    public static Registration in(ControlPlane controlPlane) {
        return withRights(controlPlane, controlPlane.impersonates() ? "rbac-requester" : "rbac-service-account");
    }

    /**
     * Gives the service's account other rights.
     *
     * @param file of the test bed, without its ending
     */
    public static Registration withRights(ControlPlane controlPlane, String file) {
        controlPlane.createNamespace("gitops-interlock");
        var registration = new Registration(controlPlane);
        registration.apply(read(Project.directory().resolve("testbed/" + file + ".yaml")));
        return registration;
    }

    /** Leaves the rights of the service's account as they are. */
    public static Registration webhooksOnly(ControlPlane controlPlane) {
        return new Registration(controlPlane);
    }

    /** Gives the service's account one right more, in the whole cluster. */
    public static void allow(ControlPlane controlPlane, String verbs, String resource) {
        var role = "may-" + resource;
        controlPlane
                .kubectl("create", "clusterrole", role, "--verb=" + verbs, "--resource=" + resource)
                .orFail();
        controlPlane
                .kubectl("create", "clusterrolebinding", role, "--clusterrole=" + role, ACCOUNT)
                .orFail();
    }

    /** The same in one Namespace. */
    public static void allowIn(ControlPlane controlPlane, String namespace, String verbs, String resource) {
        var role = "may-" + resource;
        controlPlane
                .kubectl("create", "role", role, "-n", namespace, "--verb=" + verbs, "--resource=" + resource)
                .orFail();
        controlPlane
                .kubectl("create", "rolebinding", role, "-n", namespace, "--role=" + role, ACCOUNT)
                .orFail();
    }

    /** Gives the service's account rights on Jobs of its own, and the right to ask about others'. */
    public void giveOwn(String verbs) {
        for (var right : List.of(verbs + " jobs.batch", "create subjectaccessreviews.authorization.k8s.io")) {
            var words = right.split(" ", 2);
            var name = "own-" + words[1];
            controlPlane
                    .kubectl("create", "clusterrole", name, "--verb=" + words[0], "--resource=" + words[1])
                    .orFail();
            controlPlane
                    .kubectl(
                            "create",
                            "clusterrolebinding",
                            name,
                            "--clusterrole=" + name,
                            "--serviceaccount=gitops-interlock:gitops-interlock")
                    .orFail();
        }
    }

    /** Takes these rights away again. */
    public void takeOwn() {
        for (var resource : List.of("jobs.batch", "subjectaccessreviews.authorization.k8s.io")) {
            for (var kind : List.of("clusterrolebinding", "clusterrole")) {
                controlPlane.kubectl("delete", kind, "own-" + resource).orFail();
            }
        }
    }

    /** With another caller token in the paths. */
    public Registration withToken(String token) {
        return new Registration(controlPlane, token);
    }

    /** Registers a service in place of the one before, and waits until it is called. */
    public void of(Interlock interlock) {
        of(interlock.url(), 10, interlock);
    }

    /** Registers replicas that share an address. */
    public void of(String url, int timeoutSeconds, Interlock... replicas) {
        var ca = read(controlPlane.webhookCertificates().resolve("ca.crt"));
        apply(configurations(url, ca).replace("timeoutSeconds: 10", "timeoutSeconds: " + timeoutSeconds));
        controlPlane.createNamespace("canary");
        await("registration in effect").until(() -> {
            controlPlane
                    .kubectl("-n", "canary", "create", "job", "canary", "--image=one", "--dry-run=server")
                    .orFail();
            return Arrays.stream(replicas).map(Interlock::metrics).anyMatch(Registration::knowsBothWebhooks);
        });
    }

    /** Registers whatever is there, or is not, and does not wait for anybody. */
    public void at(String url, String failurePolicy) {
        var ca = read(controlPlane.webhookCertificates().resolve("ca.crt"));
        apply(configurations(url, ca)
                .replace("timeoutSeconds: 10", "timeoutSeconds: 1")
                .replaceFirst("failurePolicy: Ignore", "failurePolicy: " + failurePolicy));
    }

    private String configurations(String url, String ca) {
        return read(Project.directory().resolve("testbed/registrations.yaml"))
                .replace("${URL}", url)
                .replace("${TOKEN}", callerToken)
                .replace("${CA_BUNDLE}", Base64.getEncoder().encodeToString(ca.getBytes(UTF_8)));
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
