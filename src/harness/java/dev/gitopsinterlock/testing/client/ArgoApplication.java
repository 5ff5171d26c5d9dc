package dev.gitopsinterlock.testing.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** An Application of Argo CD in Argo CD's own namespace. */
public final class ArgoApplication {

    static final String NAMESPACE = "argocd";

    private final ControlPlane kubernetes;
    private final String name;

    ArgoApplication(ControlPlane kubernetes, String name) {
        this.kubernetes = kubernetes;
        this.name = name;
        kubernetes.afterClass(this::delete);
    }

    /**
     * Creates it, or changes it: everything in the repository, for the namespace.
     *
     * @param policy its {@code syncPolicy} in braces, for example {@code {automated: {selfHeal: true}}}
     * @param annotations its annotations as {@code key: value, key: value}
     */
    public void deploy(GitRepository repository, String namespace, String policy, String annotations) {
        apply("""
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata: {name: "%s", annotations: {%s}}
                spec:
                  project: default
                  source: {repoURL: "%s", targetRevision: main, path: .}
                  destination: {server: "https://kubernetes.default.svc", namespace: "%s"}
                  syncPolicy: %s
                """.formatted(name, annotations, repository.url(), namespace, policy));
    }

    public void deploy(GitRepository repository, String namespace, String policy) {
        deploy(repository, namespace, policy, "");
    }

    /** Creates it, or changes it, to what its manifest says. */
    public void apply(String manifest) {
        kubectl("apply", "-f", kubernetes.file(manifest)).orFail();
    }

    /** All of it; empty while it does not exist. */
    public JsonNode live() {
        var answer = kubernetes
                .admin()
                .raw("/apis/argoproj.io/v1alpha1/namespaces/%s/applications/%s".formatted(NAMESPACE, name));
        return answer == null ? Trees.JSON.createObjectNode() : Trees.json(answer.getBytes(UTF_8));
    }

    /** For example {@code Synced}. */
    public String syncStatus() {
        return live().at("/status/sync/status").asText();
    }

    /** How its newest operation is doing, for example {@code Running}. */
    public String phase() {
        return live().at("/status/operationState/phase").asText();
    }

    /** What its newest operation has to say, but for how often it was tried before it succeeded. */
    public String message() {
        return live().at("/status/operationState/message")
                .asText()
                .replaceFirst("^(successfully.*) \\(retried.*", "$1");
    }

    /** All of it at one moment, for example {@code Synced, Healthy; sync Succeeded}. */
    public String status() {
        return status(live());
    }

    /** The same, of what was read already. */
    public static String status(JsonNode live) {
        var status = live.path("status");
        return "%s, %s; sync %s"
                .formatted(
                        status.at("/sync/status").asText(),
                        status.at("/health/status").asText(),
                        status.at("/operationState/phase").asText());
    }

    public int retryCount() {
        return live().at("/status/operationState/retryCount").asInt();
    }

    /** For example {@code SyncError: Failed last sync attempt}. */
    public List<String> conditions() {
        return conditions(live());
    }

    /** The same, of what was read already. */
    public static List<String> conditions(JsonNode live) {
        var conditions = new ArrayList<String>();
        for (var condition : live.at("/status/conditions")) {
            conditions.add(condition.path("type").asText() + ": "
                    + condition.path("message").asText());
        }
        return conditions;
    }

    /** What the newest operation did to the object; empty if nothing. */
    public JsonNode result(String kind, String object) {
        for (var resource : live().at("/status/operationState/syncResult/resources")) {
            if (resource.path("kind").asText().equals(kind)
                    && resource.path("name").asText().equals(object)) {
                return resource;
            }
        }
        return Trees.JSON.createObjectNode();
    }

    /** Has Argo CD look into Git and compare now, and waits until it did. */
    public void refresh() {
        kubectl("annotate", "application", name, "--overwrite", "argocd.argoproj.io/refresh=normal")
                .orFail();
        await(
                "refreshed",
                app -> app.at("/metadata/annotations/argocd.argoproj.io~1refresh")
                        .isMissingNode());
    }

    /** Starts a sync to the commit, as {@code argocd app sync} does, once no other is under way; does not wait for its end. */
    public void sync(String commit) {
        await("asked to sync", app -> {
            if (app.has("operation")) {
                return false;
            }
            var request = Trees.JSON.createObjectNode();
            request.putObject("metadata").set("resourceVersion", app.at("/metadata/resourceVersion"));
            request.putObject("status").putNull("operationState");
            var operation = request.putObject("operation");
            operation.putObject("initiatedBy").put("username", "admin");
            var sync = operation.putObject("sync").put("revision", commit);
            sync.set("source", app.at("/spec/source"));
            sync.putObject("syncStrategy").putObject("hook");
            var policy = app.at("/spec/syncPolicy");
            if (policy.has("syncOptions")) {
                sync.set("syncOptions", policy.path("syncOptions"));
            }
            if (policy.has("retry")) {
                operation.set("retry", policy.path("retry"));
            }
            var answer = patch("merge", request);
            return !answer.err().contains("(Conflict)") && answer.orFail().exitCode() == 0;
        });
    }

    /** Ends the operation that runs, as {@code argocd app terminate-op} does, and does not wait. */
    public void terminate() {
        patch("json", Trees.json("""
                        [{'op': 'test', 'path': '/status/operationState/phase', 'value': 'Running'},
                         {'op': 'replace', 'path': '/status/operationState/phase', 'value': 'Terminating'}]
                        """)).orFail();
    }

    /** Removes the Application and leaves what it applied. */
    public void delete() {
        kubectl("delete", "application", name, "--ignore-not-found").orFail();
    }

    /** Waits until the commit is what is live, everything is healthy and no operation runs. */
    public JsonNode awaitSynced(String commit) {
        return await(
                "synced to " + commit + " and healthy",
                app -> app.at("/status/sync/status").asText().equals("Synced")
                        && app.at("/status/sync/revision").asText().equals(commit)
                        && app.at("/status/health/status").asText().equals("Healthy")
                        && !app.has("operation"));
    }

    /** Waits until the newest operation, a sync to the commit, ended in the phase. */
    public JsonNode awaitEnd(String commit, String phase) {
        return await(
                "through with its sync to " + commit + ": " + phase,
                app -> !app.has("operation")
                        && app.at("/status/operationState/operation/sync/revision")
                                .asText()
                                .equals(commit)
                        && app.at("/status/operationState/phase").asText().equals(phase));
    }

    /** Waits until the Application meets the condition, and returns it. */
    public JsonNode await(String words, Predicate<JsonNode> condition) {
        try {
            return Awaitility.await("Application " + name + " is " + words)
                    .atMost(Patience.LIMIT)
                    .pollInterval(Duration.ofMillis(500))
                    .until(this::live, condition);
        } catch (ConditionTimeoutException _) {
            var app = live();
            throw new AssertionError("Application %s is not %s; operation:\n%s\nstatus:\n%s"
                    .formatted(name, words, Trees.yaml(app.path("operation")), Trees.yaml(app.path("status"))));
        }
    }

    private Command.Result patch(String type, JsonNode patch) {
        return kubectl("patch", "application", name, "--type=" + type, "-p", patch.toString());
    }

    private Command.Result kubectl(String... arguments) {
        return kubectl(kubernetes, arguments);
    }

    static Command.Result kubectl(ControlPlane kubernetes, String... arguments) {
        var all = new ArrayList<>(List.of("-n", NAMESPACE));
        all.addAll(List.of(arguments));
        return kubernetes.kubectl(all.toArray(String[]::new));
    }
}
