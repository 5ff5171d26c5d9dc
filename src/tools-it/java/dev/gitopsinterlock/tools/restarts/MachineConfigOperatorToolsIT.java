package dev.gitopsinterlock.tools.restarts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.MachineConfigOperator;
import dev.gitopsinterlock.testing.cluster.OpenShift;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The gate with OpenShift's own machine-config controllers. Only {@code make test-machineconfig} runs it, with the checkout
 * that it names.
 */
@EnabledIfSystemProperty(
        named = MachineConfigOperator.SOURCE,
        matches = ".+",
        disabledReason = "make test-machineconfig SOURCE=... names a checkout of openshift/machine-config-operator")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MachineConfigOperatorToolsIT {

    /** The controllers' own delay after a change of the pool. */
    private static final Duration DELAY = Duration.ofSeconds(5);

    /** For a machine that is busy. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    /** Longer than the holds of the other tests. */
    private static final Duration LIMIT = Duration.ofSeconds(75);

    private static final List<String> WORKERS = List.of("worker-0", "worker-1", "worker-2");

    private ControlPlane kubernetes;
    private MachineConfigOperator operator;
    private OpenShift openShift;
    private Applications applications;
    private Interlock interlock;
    private OpenShiftCluster cluster;
    private int changes;

    @BeforeAll
    void start() {
        kubernetes = ControlPlane.start();
        operator = MachineConfigOperator.start(
                kubernetes, Path.of(requireNonNull(System.getProperty(MachineConfigOperator.SOURCE))));
        openShift = OpenShift.on(kubernetes);
        openShift.createNode("master-0", "master");
        WORKERS.forEach(worker -> openShift.createNode(worker, "worker"));
        applications = Applications.in(kubernetes, "argocd");
        applications.create("payments");
        applications.startSync("payments");
        applications.endSync("payments");
        var registration = Registration.in(kubernetes);
        interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .with("gitops-interlock.machine-configs.max-hold", LIMIT.toString())
                .with("gitops-interlock.machine-configs.hold-for-jobs", "true")
                .start();
        registration.of(interlock);
        Registration.allow(kubernetes, "list", "pods");
        cluster = OpenShiftCluster.of(kubernetes, interlock, applications);
        openShift.awaitUpdated(Patience.LIMIT);
    }

    @AfterEach
    void nothingIsHeld() {
        applications.endSync("payments");
        cluster.awaitCounted(0);
        openShift.awaitUpdated(Patience.LIMIT);
    }

    @AfterAll
    void end() {
        operator.close();
        interlock.close();
        kubernetes.close();
    }

    @Test
    void withoutASyncNoNodeIsRefused() {
        var refused = cluster.reviews("validate-nodes", "held");
        var before = sent();

        change();
        awaitBegun(before);
        openShift.awaitUpdated(Patience.LIMIT);

        assertThat(cluster.reviews("validate-nodes", "held")).isEqualTo(refused);
    }

    /** The controller doubles its waits, so it comes back after as long again at most, or at its own delay. */
    @ParameterizedTest
    @ValueSource(ints = {10, 45})
    void noNodeBeginsWithinTheHoldAndTheRolloutEndsAfterIt(int seconds) {
        var before = sent();
        applications.startSync("payments");
        cluster.awaitCounted(1);
        change();
        var begun = awaitHeld();
        await("a hold of " + seconds + " s")
                .atMost(Duration.ofSeconds(seconds).plus(MARGIN))
                .until(() -> {
                    assertThat(sent())
                            .as("Nodes that were sent within the hold")
                            .isEqualTo(before);
                    return Duration.between(begun, Instant.now()).toSeconds() >= seconds;
                });
        assertThat(openShift.holds("worker", "Updating")).isTrue();
        assertThat(openShift.holds("worker", "Degraded")).isFalse();
        assertThat(operator.log())
                .containsPattern("Error syncing machineconfigpool worker: setting desired rendered-worker-\\w+ for node"
                        + " worker-\\d: .*held: Argo CD sync payments is running; until ");

        assertThat(sent()).as("Nodes that were sent within the hold").isEqualTo(before);
        applications.endSync("payments");
        var ended = Instant.now();
        var held = Duration.between(begun, ended);
        awaitBegun(before);
        var pause = Duration.between(ended, Instant.now());
        System.out.printf(
                "held for %.1f s, the first Node begins %.1f s after the end of the sync%n",
                held.toMillis() / 1000.0, pause.toMillis() / 1000.0);
        assertThat(pause).isLessThan((held.compareTo(DELAY) > 0 ? held : DELAY).plus(MARGIN));
        openShift.awaitUpdated(Patience.LIMIT);
        assertThat(Set.copyOf(sent())).hasSize(1);
    }

    @Test
    void theCommandOfTheMessageLetsThePoolGoUnderTheSync() {
        var before = sent();
        applications.startSync("payments");
        cluster.awaitCounted(1);
        change();
        awaitHeld();

        kubectl("annotate", "--overwrite", "mcp", "worker", "gitops-interlock.dev/sync-hold=Disabled");
        var told = Instant.now();
        awaitBegun(before);
        assertThat(Duration.between(told, Instant.now())).isLessThan(DELAY.plus(MARGIN));
        openShift.awaitUpdated(Patience.LIMIT);
        kubectl("annotate", "mcp", "worker", "gitops-interlock.dev/sync-hold-");
    }

    @Test
    void aSyncThatBeginsBetweenTwoNodesStopsTheSecond() {
        var before = sent();
        change();
        awaitBegun(before);
        applications.startSync("payments");
        cluster.awaitCounted(1);
        awaitHeld();
        var within = sent();
        await("the Node under way ends")
                .atMost(Patience.LIMIT)
                .until(() -> WORKERS.stream()
                        .allMatch(worker -> openShift
                                .annotation(worker, OpenShift.CURRENT_CONFIG)
                                .equals(openShift.annotation(worker, OpenShift.DESIRED_CONFIG))));
        assertThat(sent()).isEqualTo(within);
        assertThat(Set.copyOf(within)).as("a part of the Nodes went").hasSize(2);
    }

    @Test
    void aPoolThatIsUnpausedWaits() {
        openShift.patchPool("worker", "{'spec': {'paused': true}}");
        var before = sent();
        change();
        await("rendered").atMost(Patience.LIMIT).until(() -> !target("worker").equals(before.getFirst()));
        applications.startSync("payments");
        cluster.awaitCounted(1);

        openShift.patchPool("worker", "{'spec': {'paused': false}}");

        goesAfterTheSync(before);
    }

    @Test
    void aKubeletConfigWaits() {
        var before = sent();
        applications.startSync("payments");
        cluster.awaitCounted(1);

        cluster.apply("""
                apiVersion: machineconfiguration.openshift.io/v1
                kind: KubeletConfig
                metadata: {name: pods}
                spec:
                  machineConfigPoolSelector: {matchLabels: {pools.operator.machineconfiguration.openshift.io/worker: ""}}
                  kubeletConfig: {maxPods: 300}
                """);

        goesAfterTheSync(before);
    }

    @Test
    void aNodeThatIsPutIntoACustomPoolWaits() {
        openShift.createPool("infra");
        await("rendered").atMost(Patience.LIMIT).until(() -> target("infra").startsWith("rendered-infra-"));
        var before = sent();
        applications.startSync("payments");
        cluster.awaitCounted(1);

        openShift.setRole("worker-2", "infra", true);

        goesAfterTheSync(before);
        openShift.awaitUpdated(Patience.LIMIT);
        assertThat(sent().getLast()).startsWith("rendered-infra-");
        openShift.setRole("worker-2", "infra", false);
        await("back").atMost(Patience.LIMIT).until(() -> Set.copyOf(sent()).size() == 1);
    }

    @Test
    void anUpgradeIsNotHeld() {
        var before = sent();
        progressing("True");
        applications.startSync("payments");
        cluster.awaitCounted(1);
        change();
        awaitBegun(before);
        openShift.awaitUpdated(Patience.LIMIT);
        progressing("False");
        assertThat(cluster.reviews("validate-nodes", "upgrade")).isPositive();
    }

    @Test
    void whatIsObservedGoesOnAndIsTold() {
        kubectl("annotate", "--overwrite", "mcp", "worker", "gitops-interlock.dev/sync-hold=Observe");
        var before = sent();
        applications.startSync("payments");
        cluster.awaitCounted(1);
        change();
        awaitBegun(before);
        openShift.awaitUpdated(Patience.LIMIT);
        await("told")
                .atMost(Patience.LIMIT)
                .until(() -> !cluster.events("worker", "RolloutWouldWait").isEmpty());
        kubectl("annotate", "mcp", "worker", "gitops-interlock.dev/sync-hold-");
    }

    @Test
    void markedJobsHoldTheirNodes() {
        kubernetes.createNamespace("jobs");
        for (var worker : WORKERS) {
            cluster.apply("""
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      name: "on-%s"
                      namespace: jobs
                      labels: {gitops-interlock.dev/hold-restarts: "true", testbed.gitops-interlock.dev/outcome: run}
                    spec: {nodeName: "%s", containers: [{name: migrate, image: "registry.example/migrate:1.0"}]}
                    """.formatted(worker, worker));
        }
        var before = sent();
        change();
        await("each Node is held by its own Job")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.metric("gitops_interlock_holds") == WORKERS.size());
        assertThat(sent()).isEqualTo(before);

        kubectl("delete", "pods", "--all", "--force", "--grace-period=0", "-n", "jobs");
        awaitBegun(before);
        openShift.awaitUpdated(Patience.LIMIT);
    }

    @Test
    void afterTheLimitItGoesOnUnderTheSync() {
        var before = sent();
        applications.startSync("payments");
        cluster.awaitCounted(1);
        change();
        var begun = awaitHeld();
        awaitBegun(before);
        var held = Duration.between(begun, Instant.now());
        System.out.printf(
                "held for %.1f s of %d, by a sync that goes on%n", held.toMillis() / 1000.0, LIMIT.toSeconds());
        // from the rendering, some seconds before the first refusal, to the next try, after as long again at most
        assertThat(held)
                .isBetween(
                        LIMIT.minus(DELAY.multipliedBy(3)),
                        LIMIT.multipliedBy(2).plus(MARGIN));
        openShift.awaitUpdated(Patience.LIMIT);
    }

    /** Ends the sync and sees that no Node was sent before. */
    private void goesAfterTheSync(List<String> before) {
        awaitHeld();
        assertThat(sent()).as("Nodes that were sent within the hold").isEqualTo(before);
        applications.endSync("payments");
        awaitBegun(before);
    }

    private String target(String pool) {
        return openShift.pool(pool).at("/spec/configuration/name").asText();
    }

    private void progressing(String status) {
        kubectl(
                "patch",
                "clusterversion",
                "version",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\": {\"conditions\": [{\"type\": \"Progressing\", \"status\": \"%s\", \"lastTransitionTime\": \"%s\"}]}}"
                        .formatted(status, Instant.now().truncatedTo(ChronoUnit.SECONDS)));
    }

    private void kubectl(String... arguments) {
        kubernetes.kubectl(arguments).orFail();
    }

    private void change() {
        changes++;
        openShift.applyMachineConfig("99-worker-motd", "worker", "change-" + changes);
    }

    private List<String> sent() {
        return WORKERS.stream()
                .map(worker -> openShift.annotation(worker, OpenShift.DESIRED_CONFIG))
                .toList();
    }

    private void awaitBegun(List<String> before) {
        await("a Node begins")
                .atMost(Patience.LIMIT)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> !sent().equals(before));
    }

    /** Returns when it was seen. */
    private Instant awaitHeld() {
        await("held").atMost(Patience.LIMIT).until(() -> cluster.metric("gitops_interlock_holds") == 1);
        return Instant.now();
    }
}
