package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoApplication;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.MachineConfigController;
import dev.gitopsinterlock.testing.cluster.OpenShift;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A MachineConfig among the things that Argo CD syncs: the rollout waits for the very sync that brought it. */
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Stories.class})
class ArgoCdRolloutToolsIT {

    private final ControlPlane kubernetes;
    private final Interlock interlock;
    private final Workspace shop;
    private final GitRepository git;
    private final ArgoApplication app;
    private final MachineConfigController controller;
    private final OpenShift openShift;

    ArgoCdRolloutToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
        kubernetes = cluster.controlPlane();
        interlock = cluster.interlock();
        shop = Workspace.in(kubernetes, "rollout");
        git = GitRepository.in(folder);
        app = argoCd.application(shop.namespace());
        controller = MachineConfigController.start(kubernetes, 0.05);
        openShift = OpenShift.on(kubernetes);
    }

    @BeforeEach
    void aWorkerIsUpToDate() {
        openShift.createPool("worker");
        openShift.createNode("worker-0", "worker");
        openShift.awaitUpdated(Patience.LIMIT);
        // the definitions are new here: the service looks for them every few seconds
        await("pool known")
                .atMost(Patience.LIMIT)
                .until(() ->
                        interlock.metrics().contains("gitops_interlock_cache_kept{cache=\"machineconfigpools\"} 1.0"));
    }

    @AfterEach
    void nothingIsLeft() {
        app.delete();
        openShift.clear();
        controller.close();
    }

    @Test
    void aSyncThatBringsAMachineConfigEndsBeforeTheNodeMoves(Story story) {
        story.of(
                ArgoCd.words(),
                "a MachineConfig is synced together with a slow PostSync hook",
                "client-side apply",
                "-");
        var before = desired();
        var commit = aSlowSyncBringsAMachineConfig();

        awaitHeld();
        app.await(
                "waits for its hook",
                live -> live.at("/status/operationState/message")
                        .asText()
                        .contains("waiting for completion of hook batch/Job/slow"));
        assertThat(app.phase()).isEqualTo("Running");
        assertThat(desired()).isEqualTo(before);
        assertThat(openShift.holds("worker", "Degraded")).isFalse();

        shop.endPod("slow");
        app.awaitEnd(commit, "Succeeded");
        openShift.awaitUpdated(Patience.LIMIT);
        assertThat(desired()).isNotEqualTo(before);
        assertThat(app.retryCount()).isZero();
        assertThat(app.syncStatus()).isEqualTo("Synced");
        story.shows(app.status(), refusal(), shop)
                .job("the hook's ran once", "the Node takes the new configuration when the sync has ended");
    }

    @Test
    void aSyncThatFailsAfterItsMachineConfigLeavesNothingBehind(Story story) {
        story.of(ArgoCd.words(), "a sync with a MachineConfig is terminated", "client-side apply", "-");
        var before = desired();
        var commit = aSlowSyncBringsAMachineConfig();
        awaitHeld();

        app.terminate();
        app.awaitEnd(commit, "Failed");
        openShift.awaitUpdated(Patience.LIMIT);

        assertThat(desired()).isNotEqualTo(before);
        var pool = openShift.pool("worker");
        assertThat(pool.at("/spec/paused").asBoolean()).isFalse();
        assertThat(pool.path("metadata").toString()).doesNotContain("gitops-interlock");
        assertThat(openShift.node("worker-0").path("metadata").toString()).doesNotContain("gitops-interlock");
        story.shows("sync " + app.phase(), refusal(), shop)
                .job("the hook's was stopped", "the Node takes the new configuration; the pool is not paused");
    }

    /** Its hook ends only when somebody makes it. */
    private String aSlowSyncBringsAMachineConfig() {
        git.commit("motd.yaml", Example.of("machineconfigs").text("motd.yaml"));
        var commit = git.commit("slow.yaml", SLOW_HOOK);
        app.deploy(git, shop.namespace(), "{}");
        app.sync(commit);
        return commit;
    }

    /** What the machine-config controller was told, from its log. */
    private String refusal() {
        var log = controller.log();
        var begin = log.indexOf("admission webhook \"node-gate");
        return log.substring(begin, log.indexOf('\n', begin));
    }

    private String desired() {
        return openShift.annotation("worker-0", OpenShift.DESIRED_CONFIG);
    }

    private void awaitHeld() {
        await("held")
                .atMost(Patience.LIMIT)
                .until(() -> controller.log().contains("held: Argo CD sync " + shop.namespace() + " is running"));
    }

    private static final String SLOW_HOOK = """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: slow, annotations: {argocd.argoproj.io/hook: PostSync}}
            spec:
              backoffLimit: 0
              template:
                metadata: {labels: {testbed.gitops-interlock.dev/outcome: run}}
                spec: {restartPolicy: Never, containers: [{name: slow, image: registry.example/slow}]}
            """;
}
