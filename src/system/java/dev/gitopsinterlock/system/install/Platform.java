package dev.gitopsinterlock.system.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;

import dev.gitopsinterlock.build.image.ImageBuild;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.CertManager;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.OncePerRun;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A cluster without the service: one real Node, and cert-manager beside it.
 *
 * @param image that the Node has
 */
record Platform(ControlPlane kubernetes, CertManager certManager, String image) implements OncePerRun.Shared {

    /** Images of the Jobs that tests apply; without a command of its own such a Job succeeds at once. */
    private static final List<String> JOB_IMAGES =
            List.of("registry.example/migrate:1.0", "registry.example/migrate:1.1", "busybox:1.36", "busybox:1.37");

    static Platform start() {
        var jobs = JOB_IMAGES.stream().collect(toMap(name -> name, name -> "exit 0"));
        var kubernetes = ControlPlane.startWithNode(jobs, ImageBuild.ARCHIVE);
        return new Platform(kubernetes, CertManager.start(kubernetes), Image.name());
    }

    /** The same without a Node, whose Pods are played. */
    static Platform startWithoutNode() {
        var kubernetes = ControlPlane.startWithDeployments();
        return new Platform(kubernetes, CertManager.start(kubernetes), "registry.invalid/gitops-interlock:none");
    }

    /** A release in a Namespace of its own, not installed yet. */
    Release release(Path home) {
        return new Release(this, Workspace.in(kubernetes, "platform"), home);
    }

    /** Everything without a Namespace, but Namespaces. */
    Set<String> clusterObjects() {
        return objects(List.of("--namespaced=false"), List.of("namespaces", "componentstatuses"), List.of());
    }

    /** Everything in the Namespace, but Events. */
    Set<String> objects(String namespace) {
        return objects(
                List.of("--namespaced=true"), List.of("events", "events.events.k8s.io"), List.of("-n", namespace));
    }

    private Set<String> objects(List<String> scope, List<String> without, List<String> flags) {
        var kinds = kubectl(List.of("api-resources", "--verbs=list", "-o", "name"), scope)
                .out()
                .lines()
                .filter(kind -> !without.contains(kind))
                .collect(joining(","));
        return kubectl(List.of("get", kinds, "-o", "name"), flags).out().lines().collect(toCollection(TreeSet::new));
    }

    private Command.Result kubectl(List<String> arguments, List<String> flags) {
        var all = new ArrayList<>(arguments);
        all.addAll(flags);
        return kubernetes.kubectl(all.toArray(String[]::new)).orFail();
    }

    /** The lines of the API server's own metric that are about our webhooks. */
    String webhookMetric(String name) {
        return kubernetes
                .kubectl("get", "--raw", "/metrics")
                .orFail()
                .out()
                .lines()
                .filter(line -> line.startsWith(name + "{") && line.contains(".gitops-interlock.dev\""))
                .collect(joining("\n"));
    }

    /** How many reviews got no answer that counts, so that the API server went on without one. */
    double failOpenCount() {
        return webhookMetric("apiserver_admission_webhook_fail_open_count")
                .lines()
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    long auditLength() {
        try {
            return Files.size(kubernetes.auditLog());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Something that Helm has deleted, by its kind in the plural, and when it was gone. */
    record Deletion(String resource, Instant time) {}

    /** What Helm has deleted since the audit log had that length, in its order. */
    List<Deletion> deletedSince(long length) {
        try {
            var text = Files.readAllBytes(kubernetes.auditLog());
            return new String(text, (int) length, (int) (text.length - length), UTF_8)
                    .lines()
                    .filter(line -> line.contains("\"verb\":\"delete\""))
                    .map(line -> Trees.json(line.getBytes(UTF_8)))
                    .filter(event -> event.path("userAgent").asText().startsWith("Helm"))
                    .map(event -> new Deletion(
                            event.at("/objectRef/resource").asText(),
                            Instant.parse(event.path("stageTimestamp").asText())))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void keep() {
        kubernetes.keep();
    }

    @Override
    public void close() {
        certManager.close();
        kubernetes.close();
    }

    /** Starts it with the first test that asks for it and ends it with the run. */
    static final class Extension extends OncePerRun<Platform> {

        Extension() {
            super(Platform.class, context -> start());
        }
    }
}
