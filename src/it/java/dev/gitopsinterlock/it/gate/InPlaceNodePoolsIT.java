package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.cli.ClusterStatus;
import dev.gitopsinterlock.testing.cluster.InPlaceNodePool;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Nodes of HyperShift's InPlace NodePools wait for syncs, on the real API server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InPlaceNodePoolsIT {

    private static final String FIRST = "8d3f2a1c";
    private static final String SECOND = "99c4e07b";
    private static final String OVERRIDE = "oc annotate --overwrite nodes -l hypershift.openshift.io/nodePool=workers"
            + " gitops-interlock.dev/sync-hold=Disabled";

    private OpenShiftCluster cluster;
    private InPlaceNodePool pool;

    @BeforeAll
    void start() {
        cluster = OpenShiftCluster.with(service -> service.with(InPlaceNodePool.SETTING, InPlaceNodePool.USER));
        pool = new InPlaceNodePool(cluster, "workers");
        cluster.applications().create("payments");
        ClusterStatus.deployed(
                cluster.controlPlane(),
                Map.of("IN_PLACE_NODE_POOLS_CONTROLLER", InPlaceNodePool.USER, "CALLER_TOKEN", Interlock.TOKEN));
    }

    @BeforeEach
    void nodesJoin() {
        pool.join("w-0", "w-1");
    }

    @AfterEach
    void nothingIsLeft() {
        syncEnds();
        cluster.controlPlane().kubectl("delete", "nodes", "--all").orFail();
        await("no hold").atMost(Patience.LIMIT).until(() -> cluster.metric("gitops_interlock_holds") == 0);
    }

    @AfterAll
    void end() {
        cluster.close();
    }

    @Test
    void aNodeWaitsForASyncAndGoesWhenItHasEnded() {
        syncBegins();

        assertThat(pool.send("w-0", FIRST).err())
                .containsPattern("admission webhook \"node-pool-gate.gitops-interlock.dev\" denied the request:"
                        + " held: Argo CD sync payments is running; until [0-2][0-9]:[0-5][0-9] UTC at the latest")
                .contains("To let pool workers go on now (Node w-0 is next): " + OVERRIDE, "Forbidden");
        pool.awaitTold("RolloutHeld", "Node w-0 is next");
        assertThat(cluster.metric("gitops_interlock_holds")).isEqualTo(1);

        syncEnds();
        pool.awaitSent("w-0", FIRST);
        pool.awaitTold("RolloutReleased", ": syncs ended");
    }

    @Test
    void theCommandOfTheMessageLetsThePoolGo() {
        syncBegins();
        assertThat(pool.send("w-0", FIRST).err()).contains("held: ");

        cluster.controlPlane()
                .kubectl(OVERRIDE.substring("oc ".length()).split(" "))
                .orFail();
        pool.send("w-0", FIRST).orFail();
        pool.send("w-1", FIRST).orFail();
        pool.awaitTold("RolloutReleased", ": opted out");
    }

    /** HyperShift has to bring it to the newest target, or it is never done. */
    @Test
    void nobodyIsAskedAboutANodeThatIsUnderWay() {
        pool.send("w-0", FIRST).orFail();
        syncBegins();
        var asked = cluster.reviews("validate-nodes", "");

        pool.send("w-0", SECOND).orFail();
        assertThat(cluster.reviews("validate-nodes", "")).isEqualTo(asked);

        pool.done("w-0", SECOND);
        assertThat(pool.send("w-0", FIRST).err()).as("idle again").contains("held: ");
    }

    /** What others write, and what else the operator does. */
    @Test
    void nobodyIsAskedAboutOtherWrites() {
        syncBegins();
        var asked = cluster.reviews("validate-nodes", "");

        pool.write("w-0", "lastAppliedDrain", "uncordon-" + FIRST).orFail();
        cluster.controlPlane()
                .kubectl("annotate", "node", "w-0", "machineconfiguration.openshift.io/desiredConfig=" + FIRST)
                .orFail();

        assertThat(cluster.reviews("validate-nodes", "")).isEqualTo(asked);
    }

    /** In the cluster the target shows as soon as one Node was sent there. */
    @Test
    void statusNamesTheNodesThatWait() {
        for (var node : new String[] {"w-0", "w-1"}) {
            pool.send(node, FIRST).orFail();
            pool.done(node, FIRST);
        }
        assertThat(ClusterStatus.ofDeployed(cluster.controlPlane())).contains("Rollouts held: none\n");

        pool.awaitNextSecond();
        pool.send("w-0", SECOND).orFail();
        syncBegins();

        assertThat(ClusterStatus.ofDeployed(cluster.controlPlane()))
                .contains(
                        "Rollouts held: 1\n",
                        "  pool workers Node w-1 since ",
                        " by Argo CD sync payments\n",
                        OVERRIDE);
    }

    private void syncBegins() {
        cluster.applications().startSync("payments");
        cluster.awaitCounted(1);
    }

    private void syncEnds() {
        cluster.applications().endSync("payments");
        cluster.awaitCounted(0);
    }
}
