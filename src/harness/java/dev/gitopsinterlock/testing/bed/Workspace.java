package dev.gitopsinterlock.testing.bed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Trees;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
        kubernetes.createWorkspace(namespace);
        return new Workspace(kubernetes, namespace);
    }

    public String namespace() {
        return namespace;
    }

    public ControlPlane controlPlane() {
        return kubernetes;
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

    /** Says for the whole namespace what happens to edits of Jobs. */
    public void onImmutableChange(String policy) {
        kubectl("annotate", "namespace", namespace, "--overwrite", "gitops-interlock.dev/on-immutable-change=" + policy)
                .orFail();
    }

    /** Waits for the Event on a Job that says what Argo CD and Flux show to nobody. */
    public void awaitAdvice(String job, String advice) {
        await("advice on " + job)
                .atMost(Patience.LIMIT)
                .until(() ->
                        kubectl("events", "--for=job/" + job).orFail().out().contains(advice));
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
        var job = findJob(name);
        if (job.isEmpty()) {
            throw new AssertionError("there is no Job " + namespace + "/" + name);
        }
        return job;
    }

    /** The live Job, empty while there is none. */
    public JsonNode findJob(String name) {
        return read("/" + name);
    }

    /** Without a process for each look, of which a wait takes ten a second. */
    private JsonNode read(String path) {
        var answer = kubernetes.admin().raw("/apis/batch/v1/namespaces/" + namespace + "/jobs" + path);
        return answer == null ? Trees.JSON.createObjectNode() : Trees.json(answer.getBytes(UTF_8));
    }

    /** What was changed here about Jobs and Pods, in its order. */
    public List<AuditLog.Change> changes() {
        return kubernetes.changes().in(namespace);
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
        return read("").path("items")
                .valueStream()
                .map(job -> job.path("metadata").path(field).asText())
                .toList();
    }

    public boolean isComplete(String job) {
        return job(job).path("status")
                .path("conditions")
                .findValuesAsText("type")
                .contains("Complete");
    }

    public void awaitComplete(String job) {
        await("Job " + job + " complete").atMost(Patience.LIMIT).until(() -> isComplete(job));
    }

    /** Waits until the Job has been finished for so long. */
    public void awaitFinishedFor(String job, Duration time) {
        await("Job " + job + " finished for " + time).atMost(Patience.LIMIT).until(() -> {
            var end = job(job).at("/status/completionTime").asText();
            return !end.isEmpty() && Instant.parse(end).plus(time).isBefore(Instant.now());
        });
    }

    /** Of one that may not be there yet. */
    public void awaitActive(String job) {
        await("Job " + job + " active")
                .atMost(Patience.LIMIT)
                .until(() -> findJob(job).path("status").path("active").asInt() > 0);
    }

    /** The Pod of the Job ends with success, as a person with kubectl can make it end. */
    public void endPod(String job) {
        var pod = kubectl("get", "pods", "-l", "job-name=" + job, "-o", "name")
                .orFail()
                .out()
                .strip();
        kubectl("patch", pod, "--subresource=status", "--type=merge", "-p", """
                        {"status": {"phase": "Succeeded", "containerStatuses": [{"name": "%s", "image": "one", "imageID": "",
                          "restartCount": 0, "ready": false, "state": {"terminated": {"exitCode": 0, "reason": "Completed"}}}]}}
                        """.formatted(job))
                .orFail();
    }

    private String[] inNamespace(String... arguments) {
        var all = new ArrayList<>(List.of("-n", namespace));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }
}
