package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.cli.ClusterStatus;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rollouts wait for what Leases announce, on the real API server. Each Lease by itself is a case of AnnouncedHoldTest. */
class AnnouncedHoldIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";
    private static final String NAMESPACE = "gitops-interlock";
    private static final String KNOWN = "gitops_interlock_cache_known{cache=\"leases/" + NAMESPACE + "\"}";

    private OpenShiftCluster cluster;

    @BeforeEach
    void aRolloutBegins() {
        cluster = OpenShiftCluster.with(
                settings -> settings.with("gitops-interlock.machine-configs.lease-namespaces", NAMESPACE));
        cluster.rendered(OLD);
        cluster.rendered(NEW);
        cluster.pool("worker", NEW, "{}");
        cluster.node("worker-1", OLD, "worker");
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    /** In the order of what happens to an installation: without the right, with it. */
    @Test
    void aLeaseHoldsUntilItExpiresOrIsDeleted(@TempDir Path folder) throws IOException {
        lease(600);
        await("the right is missed")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.interlock().log().contains("watching leases failed"));
        cluster.awaitOpen("worker-1", NEW);
        assertThat(cluster.metric(KNOWN)).isZero();
        assertThat(cluster.interlock().get("/").body())
                .contains("Watch on leases/" + NAMESPACE, "May not be watched: the account lacks the right");
        cluster.applications().create("shop");
        cluster.applications().startSync("shop");
        cluster.awaitHeld("worker-1", NEW);
        cluster.applications().clear();
        cluster.awaitOpen("worker-1", NEW);

        mayWatchLeases();
        cluster.awaitHeld("worker-1", NEW);
        assertThat(cluster.refusal("worker-1", NEW).orElseThrow())
                .containsPattern(
                        "held: payments, announced by ci, is running; until [0-2][0-9]:[0-5][0-9] UTC at the latest");
        assertThat(cluster.metric(KNOWN)).isEqualTo(1);
        assertThat(cluster.metric("gitops_interlock_syncs_running")).isEqualTo(1);
        assertThat(cluster.interlock().get("/").body()).contains("payments, announced by ci");
        ClusterStatus.deployed(cluster.controlPlane(), Map.of("MACHINE_CONFIGS_LEASE_NAMESPACES", NAMESPACE));
        assertThat(ClusterStatus.ofDeployed(cluster.controlPlane()))
                .contains("Rollouts held: 1\n", " at the latest, by payments, announced by ci\n");

        kubectl("delete", "lease", "payments", "-n", NAMESPACE);
        opensWithin("deletion");
        await("event of the end")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.events("worker", "RolloutReleased").stream()
                        .anyMatch(note -> note.contains(": syncs ended")));

        await("held while it is renewed").atMost(Patience.LIMIT).until(() -> {
            lease(10);
            return cluster.refusal("worker-1", NEW).isPresent();
        });
        opensWithin("last renewal for 10 s");
        kubectl("get", "lease", "payments", "-n", NAMESPACE);
        assertThat(ClusterStatus.ofDeployed(cluster.controlPlane())).contains("Rollouts held: none\n");

        byTheExample(folder);
        byTheHub();
        byWhatIsSentOnce("argocd-notifications.yaml", "body: |\n");
        byWhatIsSentOnce("ansible.yaml", "lease:\n");
    }

    private void opensWithin(String what) {
        var since = System.nanoTime();
        cluster.awaitOpen("worker-1", NEW);
        System.out.printf(Locale.ROOT, "gate: open %.1f s after the %s%n", (System.nanoTime() - since) / 1e9, what);
    }

    /** A pipeline with the rights that it gives, and no others. */
    private void byTheExample(Path folder) throws IOException {
        var example = Example.of("announced-hold");
        var controlPlane = cluster.controlPlane();
        var account = controlPlane.plainKubeconfig("pipelines", "deployer");
        kubectl("apply", "-f", example.folder().resolve("rights.yaml").toString());
        kubectl("delete", "lease", "payments", "-n", NAMESPACE);
        var deployed = folder.resolve("deployed");
        Command.run(Map.of(), List.of("mkfifo", deployed.toString())).orFail();

        var pipeline = CompletableFuture.supplyAsync(() -> Command.run(
                Map.of(
                        "HOLDER",
                        "pipeline 4711",
                        "KUBECONFIG",
                        account.toString(),
                        "PATH",
                        controlPlane.kubectlProgram().getParent() + ":" + System.getenv("PATH")),
                List.of(example.folder().resolve("hold").toString(), "shop", "cat", deployed.toString())));
        cluster.awaitHeld("worker-1", NEW);
        assertThat(cluster.refusal("worker-1", NEW).orElseThrow())
                .contains("held: shop, announced by pipeline 4711, is running; until ");
        Files.writeString(deployed, "deployed\n");

        assertThat(pipeline.join().orFail().text()).isEqualTo("deployed\n");
        assertThat(controlPlane
                        .kubectl("get", "leases", "-n", NAMESPACE, "-o", "name")
                        .out())
                .isEmpty();
        opensWithin("end of the pipeline");
    }

    /** One that is this cluster, too: a sync of Argo CD, then a reconciliation of Flux, and what goes to another cluster. */
    private void byTheHub() throws IOException {
        var folder = Example.of("announced-hold").folder();
        var controlPlane = cluster.controlPlane();
        controlPlane.addDefinitionsOf("flux");
        var elsewhere = Applications.in(controlPlane, "hub");
        for (var name : List.of("stock", "other")) {
            elsewhere.create(name);
            elsewhere.patch(
                    name,
                    "{\"spec\": {\"destination\": {\"server\": null, \"name\": \"%s\"}}}"
                            .formatted(name.equals("stock") ? "a" : "b"));
            elsewhere.startSync(name);
        }
        var command = new ProcessBuilder(
                folder.resolve("announce").toString(), "sh", "-c", "./argocd-syncs && ./flux-reconciliations");
        command.directory(folder.toFile());
        command.environment()
                .putAll(Map.of(
                        "HOLDER",
                        "hub",
                        "HUB",
                        controlPlane.kubeconfig("hub", "reader").toString(),
                        "CLUSTER",
                        "a",
                        "KUBECONFIG",
                        controlPlane.plainKubeconfig("pipelines", "deployer").toString(),
                        "PATH",
                        controlPlane.kubectlProgram().getParent() + ":" + System.getenv("PATH")));
        var announcer = command.inheritIO().start();
        try {
            heldBy("held: stock, announced by hub, is running; until ");
            elsewhere.endSync("stock");
            opensWithin("end of the hub's sync");

            cluster.apply("""
                    apiVersion: kustomize.toolkit.fluxcd.io/v1
                    kind: Kustomization
                    metadata: {name: till, namespace: hub}
                    spec:
                      interval: 1h
                      prune: false
                      kubeConfig: {secretRef: {name: a}}
                      sourceRef: {kind: GitRepository, name: till}
                    """);
            kubectl(
                    "patch",
                    "kustomization",
                    "till",
                    "-n",
                    "hub",
                    "--subresource=status",
                    "--type=merge",
                    "-p",
                    "{\"status\": {\"conditions\": [{\"type\": \"Ready\", \"status\": \"Unknown\", \"reason\": \"Progressing\","
                            + " \"message\": \"\", \"lastTransitionTime\": \"2026-11-21T11:59:00Z\"}]}}");
            heldBy("held: till, announced by hub, is running; until ");
            kubectl("delete", "kustomization", "till", "-n", "hub");
            opensWithin("end of the hub's reconciliation");
        } finally {
            announcer.descendants().forEach(ProcessHandle::destroyForcibly);
            announcer.destroyForcibly();
            elsewhere.clear();
        }
    }

    private void heldBy(String words) {
        await(words)
                .atMost(Patience.LIMIT)
                .until(() -> cluster.refusal("worker-1", NEW)
                        .filter(refusal -> refusal.contains(words))
                        .isPresent());
    }

    /** With what the templates would say now. */
    private void byWhatIsSentOnce(String file, String before) {
        var text = Texts.read(Example.of("announced-hold").folder().resolve(file));
        var lines = text.substring(text.indexOf(before) + before.length());
        var lease = lines.lines()
                .takeWhile(line -> line.startsWith(" ".repeat(lines.indexOf("apiVersion"))))
                .collect(Collectors.joining("\n"))
                .stripIndent();
        cluster.apply(lease.replaceAll("(\\w+Time: ).*", "$1" + '"' + now() + '"')
                .replaceAll("[{]{2}.*[}]{2}", "payments")
                .replaceFirst(
                        "name: \"?payments\"?\n(?! *namespace)", "name: payments\n  namespace: " + NAMESPACE + "\n"));
        heldBy("held: payments, announced by " + (file.startsWith("ansible") ? "ansible" : "argocd-hub")
                + ", is running");
        kubectl("delete", "lease", "payments", "-n", NAMESPACE);
        opensWithin("deletion of what " + file + " sends");
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", ".000000Z");
    }

    private void lease(int seconds) {
        cluster.apply("""
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: payments, namespace: %s, labels: {gitops-interlock.dev/hold-rollouts: "true"}}
                spec: {holderIdentity: ci, leaseDurationSeconds: %d, renewTime: "%s"}
                """.formatted(NAMESPACE, seconds, now()));
    }

    /** As the chart gives it. */
    private void mayWatchLeases() {
        Registration.allowIn(cluster.controlPlane(), NAMESPACE, "list,watch", "leases");
    }

    private void kubectl(String... arguments) {
        cluster.controlPlane().kubectl(arguments).orFail();
    }
}
