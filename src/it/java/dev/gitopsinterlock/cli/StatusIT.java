package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Manifests;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a real API server with the service shows: holds, replaced Jobs, policies, and who may read them. */
@ExtendWith({Cluster.Extension.class, OpenShiftCluster.Extension.class})
class StatusIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";

    private final ControlPlane jobs;
    private final OpenShiftCluster cluster;

    StatusIT(Cluster jobs, OpenShiftCluster cluster) {
        this.jobs = jobs.controlPlane();
        this.cluster = cluster;
    }

    @AfterEach
    void nothingIsLeft() {
        cluster.applications().clear();
        for (var kind : new String[] {"nodes", "machineconfigpools", "machineconfigs"}) {
            cluster.controlPlane().kubectl("delete", kind, "--all").orFail();
        }
        cluster.awaitCounted(0);
    }

    /** What it says is what the controller is told, and the command does what it says. */
    @Test
    void aRolloutThatIsHeld() throws IOException {
        cluster.rendered(OLD);
        cluster.rendered(NEW);
        cluster.pool("worker", NEW, "{}");
        cluster.poolStatus(
                "worker",
                "{'conditions': [{'type': 'Updating', 'status': 'True', 'lastTransitionTime': '%s'}]}"
                        .formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS)));
        cluster.node("worker-1", OLD, "worker");
        cluster.applications().create("payments");
        cluster.applications().startSync("payments");
        cluster.awaitHeld("worker-1", NEW);
        var refusal = cluster.refusal("worker-1", NEW).orElseThrow();

        var shown = status("-o", "text");
        var held = new ObjectMapper().readTree(status("-o", "json").out()).path("held");

        assertThat(shown.errors()).isEmpty();
        assertThat(shown.code()).isEqualTo(ExitCode.FINDINGS);
        assertThat(shown.out())
                .contains("Rollouts held: 1", "  pool worker since ", "at the latest, by Argo CD sync payments")
                .contains("until " + refusal.replaceAll("(?s).*until ([0-9]{2}:[0-9]{2}) UTC.*", "$1"));
        var command = held.path(0).path("command").asText();
        assertThat(refusal).contains(command);
        cluster.controlPlane()
                .kubectl(Arrays.stream(command.split(" ")).skip(1).toArray(String[]::new))
                .orFail();
        assertThat(status().out()).contains("Rollouts held: none");
        cluster.awaitOpen("worker-1", NEW);
    }

    @Test
    void aJobThatWasReplacedAndTheNamespacesPolicy() {
        var shop = Workspace.in(jobs, "status");
        shop.onImmutableChange("Replace");
        var job = Manifests.plain("seed", "1.0");
        shop.kubectl("apply", "-f", jobs.file(job)).orFail();
        shop.awaitComplete("seed");
        shop.kubectl("apply", "-f", jobs.file(job.replace("1.0", "1.1"))).orFail();

        await("the Event")
                .atMost(Patience.LIMIT)
                .until(() -> ClusterStatus.of(jobs)
                        .contains("replaced   Job " + shop.namespace()
                                + "/seed: Took the place of an older Job because spec.template"));
        assertThat(ClusterStatus.of(jobs)).containsPattern("  Replace: .*" + shop.namespace());
    }

    /** What may not be read is one line each, and nothing fails. */
    @Test
    void somebodyWithoutRights() {
        var run = ClusterStatus.with(
                cluster.controlPlane(), cluster.controlPlane().plainKubeconfig("status-nobody", "nobody"));

        assertThat(run.code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(run.errors()).isEmpty();
        assertThat(run.out())
                .contains("  Applications could not be read: Error from server (Forbidden)")
                .contains("  Jobs could not be read: ", "not installed in this cluster: Kustomizations, HelmReleases");
    }

    private Run status(String... arguments) {
        return ClusterStatus.with(cluster.controlPlane(), cluster.controlPlane().adminKubeconfig(), arguments);
    }
}
