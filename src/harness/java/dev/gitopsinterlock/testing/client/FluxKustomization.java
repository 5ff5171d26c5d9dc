package dev.gitopsinterlock.testing.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A Kustomization of Flux in Flux's own namespace, and the GitRepository that it takes its manifests from. */
public final class FluxKustomization {

    /** Flux does nothing by itself for ten minutes, unless it failed. What it applied stays when it is deleted. */
    private static final String DEFAULTS = """
            {interval: 10m, retryInterval: 2s, timeout: 30s, prune: true, deletionPolicy: Orphan}
            """;

    private final ControlPlane kubernetes;
    private final String name;
    private final Path artifacts;
    private final String url;

    FluxKustomization(ControlPlane kubernetes, String name, Path artifacts, String url) {
        this.kubernetes = kubernetes;
        this.name = name;
        this.artifacts = artifacts;
        this.url = url;
        kubernetes.afterClass(this::delete);
    }

    /**
     * Publishes the newest commit, and creates the Kustomization, or changes it: everything in the repository, for the
     * namespace.
     *
     * @param spec what its {@code spec} has beyond that, in braces, for example {@code {wait: true, force: true}}.
     *     Without it, the interval is ten minutes, the interval of retries two seconds, the timeout half a minute, which
     *     is the shortest that Flux knows, and what is gone from the repository is pruned
     */
    public void deploy(GitRepository repository, String namespace, String spec) {
        publish(repository);
        var manifest = Trees.fromYaml("""
                apiVersion: kustomize.toolkit.fluxcd.io/v1
                kind: Kustomization
                metadata: {name: "%s", namespace: "%s"}
                spec: {sourceRef: {kind: GitRepository, name: "%s"}, path: ./, targetNamespace: "%s"}
                """.formatted(name, Flux.NAMESPACE, name, namespace));
        manifest.withObject("/spec").setAll(Trees.fromYaml(DEFAULTS));
        manifest.withObject("/spec").setAll(Trees.fromYaml(spec));
        apply(manifest.toString());
    }

    /** Creates it, or changes it, to what its manifest says. */
    public void apply(String manifest) {
        kubectl("apply", "-f", kubernetes.file(manifest)).orFail();
    }

    /** Shows Flux the newest commit, as source-controller does, and does not wait: Flux applies it at once. */
    public void publish(GitRepository repository) {
        apply("""
                apiVersion: source.toolkit.fluxcd.io/v1
                kind: GitRepository
                metadata: {name: "%s"}
                spec: {url: "https://git.example/%s", ref: {branch: main}, interval: 10m}
                """.formatted(name, name));
        var commit = repository.head();
        var path = "gitrepository/%s/%s/%s.tar.gz".formatted(Flux.NAMESPACE, name, commit);
        try {
            var file = artifacts.resolve(path);
            Files.createDirectories(file.getParent());
            repository.archive(file);
            var status = Trees.JSON.createObjectNode();
            status.withObject("/status/artifact")
                    .put("url", url + "/" + path)
                    .put("path", path)
                    .put("revision", revision(commit))
                    .put("digest", "sha256:" + sha256(file))
                    .put("size", Files.size(file))
                    .put(
                            "lastUpdateTime",
                            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
            kubectl("patch", "gitrepository", name, "--subresource=status", "--type=merge", "-p", status.toString())
                    .orFail();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has Flux apply what it has once more, as {@code flux reconcile} does, and waits until it did. */
    public void reconcile() {
        var request = Instant.now().toString();
        kubectl("annotate", "kustomization", name, "--overwrite", "reconcile.fluxcd.io/requestedAt=" + request)
                .orFail();
        await(
                "reconciled",
                live -> live.at("/status/lastHandledReconcileAt").asText().equals(request));
    }

    /** All of it; empty while it does not exist. */
    public JsonNode live() {
        var answer = kubernetes
                .admin()
                .raw("/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/%s/kustomizations/%s"
                        .formatted(Flux.NAMESPACE, name));
        return answer == null ? Trees.JSON.createObjectNode() : Trees.json(answer.getBytes(UTF_8));
    }

    /**
     * Its condition Ready, as it was at one moment: while Flux is at work, and so at each new try, it is another one.
     *
     * @param status {@code True}, {@code False}, or {@code Unknown} while Flux is at work
     * @param reason for example {@code ReconciliationFailed}
     */
    public record Ready(String status, String reason, String message) {

        private static Ready of(JsonNode live) {
            var condition = condition(live, "Ready");
            return new Ready(
                    condition.path("status").asText(),
                    condition.path("reason").asText(),
                    condition.path("message").asText());
        }

        /** As {@code kubectl get} shows it, for example {@code Ready False, ReconciliationFailed}. */
        public String words() {
            return "Ready %s, %s".formatted(status, reason);
        }
    }

    /** Removes both and leaves what was applied; waits for what Flux is at, which may take until its timeout. */
    public void delete() {
        kubectl("delete", "kustomization", name, "--ignore-not-found").orFail();
        kubectl("delete", "gitrepository", name, "--ignore-not-found").orFail();
    }

    /** Waits until the commit is applied, with the newest spec, and healthy if Flux was told to wait for that. */
    public Ready awaitReady(String commit) {
        return Ready.of(await(
                "ready at " + commit,
                live -> isNow(live, "True")
                        && live.at("/status/lastAppliedRevision").asText().equals(revision(commit))));
    }

    /** Waits until Flux tried to apply the commit, with the newest spec, and failed. */
    public Ready awaitFailed(String commit) {
        return Ready.of(await(
                "failed at " + commit,
                live -> isNow(live, "False")
                        && live.at("/status/lastAttemptedRevision").asText().equals(revision(commit))));
    }

    /** Waits until the Kustomization meets the condition, and returns it. */
    public JsonNode await(String words, Predicate<JsonNode> condition) {
        try {
            return Awaitility.await("Kustomization " + name + " is " + words)
                    .atMost(Patience.LIMIT)
                    .until(this::live, condition);
        } catch (ConditionTimeoutException _) {
            throw new AssertionError("Kustomization %s is not %s; status:\n%s"
                    .formatted(name, words, Trees.yaml(live().path("status"))));
        }
    }

    private static boolean isNow(JsonNode live, String ready) {
        var condition = condition(live, "Ready");
        return condition.path("status").asText().equals(ready)
                && condition.path("observedGeneration").asLong()
                        == live.at("/metadata/generation").asLong();
    }

    private static JsonNode condition(JsonNode live, String type) {
        for (var condition : live.at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        return Trees.JSON.createObjectNode();
    }

    /** As source-controller names a commit. */
    private static String revision(String commit) {
        return "main@sha1:" + commit;
    }

    private static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Command.Result kubectl(String... arguments) {
        var all = new ArrayList<>(List.of("-n", Flux.NAMESPACE));
        all.addAll(List.of(arguments));
        return kubernetes.kubectl(all.toArray(String[]::new));
    }
}
