package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.MachineConfigController;
import dev.gitopsinterlock.testing.cluster.OpenShift;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What happens to a rollout from its beginning to its end, with a controller that behaves as OpenShift's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RolloutStoriesIT {

    private static final String OBSERVED_UNTIL_SYNCS_ENDED =
            "gitops_interlock_observed_hold_seconds_count{outcome=\"syncs_ended\"}";

    private ControlPlane kubernetes;
    private Interlock interlock;
    private MachineConfigController controller;
    private OpenShift openShift;
    private Applications applications;
    private OpenShiftCluster cluster;

    @BeforeAll
    void start() {
        kubernetes = ControlPlane.start();
        controller = MachineConfigController.start(kubernetes, 0.05);
        openShift = OpenShift.on(kubernetes);
        applications = Applications.in(kubernetes, "argocd");
        var registration = Registration.in(kubernetes);
        interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .start();
        registration.of(interlock);
        cluster = OpenShiftCluster.of(kubernetes, interlock, applications);
    }

    @AfterAll
    void end() {
        controller.close();
        interlock.close();
        kubernetes.close();
    }

    @AfterEach
    void nothingIsLeft() {
        applications.clear();
        openShift.clear();
        cluster.awaitCounted(0);
    }

    @Test
    void changeDuringASyncWaitsForItsEndAndThenGoesOnByItself() {
        workers();
        var before = openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG);
        aSyncRuns();
        openShift.applyMachineConfig("60-motd", "worker", "hold");
        awaitHeld("worker");

        await("the pool says so, too").atMost(Patience.LIMIT).until(() -> openShift.holds("worker", "Updating"));
        assertThat(openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG)).isEqualTo(before);
        assertThat(openShift.holds("worker", "Degraded")).isFalse();

        applications.endSync("payments");
        openShift.awaitUpdated(Patience.LIMIT);
        assertThat(openShift.annotation("worker-0", OpenShift.CURRENT_CONFIG)).isNotEqualTo(before);
    }

    @Test
    void changeThatIsTakenBackDuringTheHoldNeverReachesANode() {
        workers();
        var before = openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG);
        aSyncRuns();
        openShift.applyMachineConfig("60-motd", "worker", "hold");
        awaitHeld("worker");
        var refused = target();

        openShift.deleteMachineConfig("60-motd");
        openShift.awaitUpdated(Patience.LIMIT);

        assertThat(openShift.annotation("worker-0", OpenShift.CURRENT_CONFIG)).isEqualTo(before);
        assertThat(target()).isEqualTo(before).isNotEqualTo(refused);
        await("the hold is over")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.events("worker", "RolloutReleased").stream()
                        .anyMatch(note -> note.endsWith("superseded")));
    }

    @Test
    void earlierConfigurationIsHeldLikeANewOne() {
        workers();
        var first = openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG);
        openShift.applyMachineConfig("60-motd", "worker", "second");
        awaitAnotherTarget(first);
        openShift.awaitUpdated(Patience.LIMIT);
        var second = openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG);

        aSyncRuns();
        openShift.deleteMachineConfig("60-motd");
        awaitHeld("worker");
        assertThat(openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG)).isEqualTo(second);
        assertThat(target()).isEqualTo(first);

        applications.endSync("payments");
        openShift.awaitUpdated(Patience.LIMIT);
        assertThat(openShift.annotation("worker-0", OpenShift.CURRENT_CONFIG)).isEqualTo(first);
    }

    @Test
    void severalChangesDuringOneHoldAreOneMoveOfEachNode() {
        workers();
        var before = openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG);
        aSyncRuns();
        openShift.applyMachineConfig("60-motd", "worker", "one");
        awaitHeld("worker");
        var first = target();
        openShift.applyMachineConfig("61-motd", "worker", "two");
        awaitAnotherTarget(first);
        var second = target();
        await("held anew")
                .atMost(Patience.LIMIT)
                .until(() -> interlock
                        .log()
                        .lines()
                        .anyMatch(line -> line.contains("hold begins") && line.contains(second)));
        assertThat(openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG)).isEqualTo(before);

        applications.endSync("payments");
        openShift.awaitUpdated(Patience.LIMIT);
        assertThat(openShift.annotation("worker-0", OpenShift.CURRENT_CONFIG)).isEqualTo(second);
        assertThat(interlock.log().lines())
                .noneMatch(line -> line.contains("allowed: reason=") && line.contains("target=" + first));
    }

    @Test
    void rolloutThatIsUnderWayStopsBetweenItsNodes() {
        openShift.createPool("worker");
        openShift.createNode("worker-0", "worker");
        openShift.createNode("worker-1", "worker");
        openShift.awaitUpdated(Patience.LIMIT);
        var before = openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG);
        openShift.applyMachineConfig("60-motd", "worker", "hold");
        await("the first node goes").atMost(Patience.LIMIT).until(() -> movedFrom(before) == 1);
        aSyncRuns();
        awaitHeld("worker");

        assertThat(movedFrom(before)).isEqualTo(1);
        // what a Node was told before goes on
        await("the first node has it")
                .atMost(Patience.LIMIT)
                .until(() -> openShift.nodes().stream()
                        .anyMatch(node -> !node.at("/metadata/annotations")
                                .path(OpenShift.CURRENT_CONFIG)
                                .asText()
                                .equals(before)));
        assertThat(movedFrom(before)).isEqualTo(1);
        applications.endSync("payments");
        openShift.awaitUpdated(Patience.LIMIT);
        assertThat(movedFrom(before)).isEqualTo(2);
    }

    @Test
    void changeThatTheControllerMakesItselfIsHeldToo() {
        workers();
        var before = openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG);
        aSyncRuns();
        var generated = kubernetes.file("""
                apiVersion: machineconfiguration.openshift.io/v1
                kind: MachineConfig
                metadata:
                  name: 99-worker-generated-kubelet
                  labels: {machineconfiguration.openshift.io/role: worker}
                spec: {kernelArguments: [generated], config: {ignition: {version: 3.4.0}}}
                """);
        var made = kubernetes
                .kubectlWith(cluster.controller(), "apply", "-f", generated)
                .orFail();
        assertThat(made.err()).isEmpty();
        awaitHeld("worker");

        assertThat(openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG)).isEqualTo(before);
        applications.endSync("payments");
        openShift.awaitUpdated(Patience.LIMIT);
    }

    @Test
    void holdOfAPoolEndsWhenItsNodesAreLetGoOneByOne() {
        workers();
        var rolledOut = cluster.metric("gitops_interlock_holds_ended_total{outcome=\"rolled_out\"}");
        aSyncRuns();
        openShift.applyMachineConfig("60-motd", "worker", "let go");
        awaitHeld("worker");
        kubernetes
                .kubectl("annotate", "node", "worker-0", "gitops-interlock.dev/sync-hold=Disabled")
                .orFail();
        openShift.awaitUpdated(Patience.LIMIT);

        await("the hold is over").atMost(Patience.LIMIT).until(() -> cluster.metric("gitops_interlock_holds") == 0);
        assertThat(cluster.metric("gitops_interlock_holds_ended_total{outcome=\"rolled_out\"}"))
                .isGreaterThan(rolledOut);
        assertThat(cluster.metric("gitops_interlock_syncs_running")).isEqualTo(1);
    }

    @Test
    void pausedPoolIsHeldFromTheMomentAtWhichItIsNotPausedAnyMore() {
        workers();
        var before = openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG);
        openShift.patchPool("worker", "{'spec': {'paused': true}}");
        openShift.applyMachineConfig("60-motd", "worker", "paused");
        awaitAnotherTarget(before);
        aSyncRuns();
        assertThat(interlock.log())
                .doesNotContain("hold begins: pool=worker target="
                        + openShift
                                .pool("worker")
                                .at("/spec/configuration/name")
                                .asText());

        openShift.patchPool("worker", "{'spec': {'paused': false}}");
        awaitHeld("worker");
        assertThat(openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG)).isEqualTo(before);
        applications.endSync("payments");
        openShift.awaitUpdated(Patience.LIMIT);
    }

    @Test
    void poolWithoutNodesHasNothingToHold() {
        openShift.createPool("worker");
        openShift.awaitUpdated(Patience.LIMIT);
        aSyncRuns();
        openShift.applyMachineConfig("60-motd", "worker", "hold");
        await("rendered")
                .atMost(Patience.LIMIT)
                .until(() -> openShift
                        .machineConfig(openShift
                                .pool("worker")
                                .at("/spec/configuration/name")
                                .asText())
                        .toString()
                        .contains("data:,hold"));
        openShift.awaitUpdated(Patience.LIMIT);

        assertThat(cluster.metric("gitops_interlock_holds")).isZero();
    }

    /** Nobody proves here that the API server asks, so the pool itself has to say that the rollout is real. */
    @Test
    void rolloutThatIsObservedGoesOnAndIsToldWithTheTimeItWouldHaveWaited() {
        openShift.createPool("worker");
        openShift.patchPool("worker", "{'metadata': {'annotations': {'gitops-interlock.dev/sync-hold': 'Observe'}}}");
        openShift.createNode("worker-0", "worker");
        openShift.createNode("worker-1", "worker");
        openShift.awaitUpdated(Patience.LIMIT);
        var before = openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG);
        var nodes = cluster.reviews("validate-nodes", "observed");
        var ended = cluster.metric(OBSERVED_UNTIL_SYNCS_ENDED);
        aSyncRuns();
        openShift.applyMachineConfig("60-motd", "worker", "observed");
        awaitAnotherTarget(before);
        openShift.awaitUpdated(Patience.LIMIT);

        assertThat(movedFrom(before)).isEqualTo(2);
        assertThat(cluster.reviews("validate-nodes", "observed")).isEqualTo(nodes + 2);
        await("told")
                .atMost(Patience.LIMIT)
                .until(() -> notes("RolloutWouldWait").size() == 1);
        assertThat(notes("RolloutWouldWait").getFirst())
                .startsWith("would be held: Argo CD sync payments is running; until ");
        assertThat(cluster.metric("gitops_interlock_observed_holds")).isEqualTo(1);
        assertThat(notes("RolloutWouldGoOn")).as("the sync still runs").isEmpty();
        assertThat(interlock.get("/").body())
                .contains("pool worker <span class=\"chip observed\">", ">worker-0</span>", ">worker-1</span>");

        applications.endSync("payments");
        await("told")
                .atMost(Patience.LIMIT)
                .until(() -> notes("RolloutWouldGoOn").size() == 1);
        assertThat(notes("RolloutWouldGoOn").getFirst())
                .matches("would have been held for 0 min [0-9]{2} s by Argo CD sync payments: syncs ended");
        assertThat(cluster.metric(OBSERVED_UNTIL_SYNCS_ENDED)).isEqualTo(ended + 1);
        assertThat(cluster.metric("gitops_interlock_observed_holds")).isZero();
        assertThat(notes("RolloutHeld")).isEmpty();
        assertThat(interlock.log().lines().filter(line -> line.contains("observation begins: pool=worker")))
                .hasSize(1);
    }

    /** Of Events on the pool that there is now. */
    private List<String> notes(String reason) {
        var uid = openShift.pool("worker").at("/metadata/uid").asText();
        return kubernetes.admin().events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> event.getRegarding() != null
                        && uid.equals(event.getRegarding().getUid())
                        && reason.equals(event.getReason()))
                .map(Event::getNote)
                .toList();
    }

    @Test
    void singleNodeIsHeldAsAMaster() {
        openShift.createPool("master");
        openShift.createPool("worker");
        openShift.createNode("sno", "master", "worker");
        openShift.awaitUpdated(Patience.LIMIT);
        var before = openShift.annotation("sno", OpenShift.DESIRED_CONFIG);
        aSyncRuns();
        openShift.applyMachineConfig("60-motd", "master", "hold");
        awaitHeld("master");
        assertThat(openShift.annotation("sno", OpenShift.DESIRED_CONFIG)).isEqualTo(before);

        applications.endSync("payments");
        openShift.awaitUpdated(Patience.LIMIT);
        assertThat(openShift.annotation("sno", OpenShift.CURRENT_CONFIG)).isNotEqualTo(before);
    }

    private void workers() {
        openShift.createPool("worker");
        openShift.createNode("worker-0", "worker");
        openShift.awaitUpdated(Patience.LIMIT);
    }

    /** What the workers are to have. */
    private String target() {
        return openShift.pool("worker").at("/spec/configuration/name").asText();
    }

    private void awaitAnotherTarget(String former) {
        await("rendered").atMost(Patience.LIMIT).until(() -> !target().equals(former));
    }

    private void aSyncRuns() {
        applications.create("payments");
        applications.startSync("payments");
        cluster.awaitCounted(1);
    }

    /** By the words that the controller logs. */
    private void awaitHeld(String pool) {
        await("held: " + pool)
                .atMost(Patience.LIMIT)
                .until(() -> controller
                        .log()
                        .lines()
                        .anyMatch(line -> line.contains("held: Argo CD sync payments is running")
                                && line.contains("annotate --overwrite mcp " + pool + " ")
                                && cluster.metric("gitops_interlock_holds") > 0));
    }

    private long movedFrom(String before) {
        return openShift.nodes().stream()
                .filter(node -> !node.at("/metadata/annotations")
                        .path(OpenShift.DESIRED_CONFIG)
                        .asText()
                        .equals(before))
                .count();
    }
}
