package dev.gitopsinterlock.testing;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A Namespace of a test's own, and kubectl in it. */
public final class Workspace {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ControlPlane kubernetes;
    private final String namespace;

    private Workspace(ControlPlane kubernetes, String namespace) {
        this.kubernetes = kubernetes;
        this.namespace = namespace;
    }

    public static Workspace in(ControlPlane kubernetes, String purpose) {
        var namespace = purpose + "-" + NUMBER.incrementAndGet();
        kubernetes.createNamespace(namespace);
        return new Workspace(kubernetes, namespace);
    }

    public String namespace() {
        return namespace;
    }

    /** For an administrator. */
    public Path kubeconfig() {
        return kubernetes.adminKubeconfig();
    }

    public Command.Result kubectl(String... arguments) {
        return kubernetes.kubectl(inNamespace(arguments));
    }

    /** The account as namespace/name, with all rights. */
    public Command.Result kubectlAs(String account, String... arguments) {
        var parts = account.split("/", 2);
        return kubernetes.kubectlAs(parts[0], parts[1], inNamespace(arguments));
    }

    public Command.Result kubectlWith(Path kubeconfig, String... arguments) {
        return kubernetes.kubectlWith(kubeconfig, inNamespace(arguments));
    }

    /** The user name of a new service account that may do to Jobs what the verbs say, and nothing else. */
    public String account(String name, String verbs) {
        kubectl("create", "serviceaccount", name).orFail();
        kubectl("create", "role", name, "--resource=jobs.batch", "--verb=" + verbs)
                .orFail();
        kubectl("create", "rolebinding", name, "--role=" + name, "--serviceaccount=" + namespace + ":" + name)
                .orFail();
        return "system:serviceaccount:" + namespace + ":" + name;
    }

    /** With further environment variables. */
    public Command.Result kubectlIn(Map<String, String> environment, String... arguments) {
        return kubernetes.kubectlIn(environment, inNamespace(arguments));
    }

    /** An executable file with these lines of shell. */
    public String script(String lines) {
        var file = Path.of(file("#!/bin/sh\n" + lines + "\n"));
        if (!file.toFile().setExecutable(true)) {
            throw new IllegalStateException(file + " cannot be made executable");
        }
        return file.toString();
    }

    /** Applies the manifests as a person does. */
    public void apply(String manifest) {
        kubectl("apply", "-f", file(manifest)).orFail();
    }

    public String file(String text) {
        return kubernetes.file(text);
    }

    /** The live Job with everything that the API server knows of it. */
    public JsonNode job(String name) {
        return Trees.json(kubectl("get", "job", name, "-o", "json", "--show-managed-fields")
                .orFail()
                .out());
    }

    public String uid(String job) {
        return job(job).path("metadata").path("uid").asText();
    }

    /** Names of all Jobs, in their order. */
    public List<String> jobs() {
        return ofAllJobs("name");
    }

    public List<String> uids() {
        return ofAllJobs("uid");
    }

    private List<String> ofAllJobs(String field) {
        var words = kubectl("get", "jobs", "-o", "jsonpath={.items[*].metadata." + field + "}")
                .orFail()
                .out();
        return words.isEmpty() ? List.of() : List.of(words.split(" ", -1));
    }

    public boolean isComplete(String job) {
        return job(job).path("status")
                .path("conditions")
                .findValuesAsText("type")
                .contains("Complete");
    }

    public void awaitComplete(String job) {
        await("Job " + job + " complete").atMost(Duration.ofSeconds(60)).until(() -> isComplete(job));
    }

    public void awaitActive(String job) {
        await("Job " + job + " active")
                .atMost(Duration.ofSeconds(60))
                .until(() -> job(job).path("status").path("active").asInt() > 0);
    }

    private String[] inNamespace(String... arguments) {
        var all = new ArrayList<>(List.of("-n", namespace));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }
}
