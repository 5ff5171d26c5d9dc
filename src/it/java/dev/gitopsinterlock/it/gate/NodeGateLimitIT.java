package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.cluster.InPlaceNodePool;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.run.Patience;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** No rollout is held beyond its limit, whatever the syncs do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeGateLimitIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";
    private static final String REACHED = "gitops_interlock_holds_ended_total{outcome=\"limit_reached\"}";

    private OpenShiftCluster cluster;

    @BeforeAll
    void start() {
        cluster = OpenShiftCluster.with(service -> service.with("gitops-interlock.machine-configs.max-hold", "8s")
                .with("gitops-interlock.machine-configs.max-hold-required-pools", "4s")
                .with(InPlaceNodePool.SETTING, InPlaceNodePool.USER));
        cluster.applications().create("endless");
        cluster.applications().startSync("endless");
        cluster.awaitCounted(1);
    }

    @AfterAll
    void end() {
        cluster.close();
    }

    @BeforeEach
    void aRolloutBegins() {
        cluster.rendered(OLD);
        cluster.pool("worker", NEW, "{}");
        cluster.node("worker-1", OLD, "worker");
    }

    @AfterEach
    void nothingIsLeft() {
        for (var kind : new String[] {"nodes", "machineconfigpools", "machineconfigs"}) {
            cluster.controlPlane().kubectl("delete", kind, "--all").orFail();
        }
    }

    @Test
    void poolThatIsUpdatingIsHeldFromItsTargetsCreation() {
        var reached = cluster.metric(REACHED);
        cluster.poolStatus(
                "worker",
                "{'conditions': [{'type': 'Updating', 'status': 'True', 'lastTransitionTime': '2026-01-01T00:00:00Z'}]}");
        cluster.rendered(NEW);
        cluster.awaitHeld("worker-1", NEW);
        cluster.awaitOpen("worker-1", NEW);

        assertThat(Instant.now()).isAfterOrEqualTo(created(NEW).plusSeconds(8));
        await("the end is told")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.metric(REACHED) > reached
                        && cluster.events("worker", "RolloutReleased").stream()
                                .anyMatch(note -> note.endsWith("limit reached")));
    }

    @Test
    void earlierTargetIsHeldFromTheTimeAtWhichThePoolBeganToUpdate() {
        cluster.rendered(NEW);
        await("the target is old")
                .atMost(Patience.LIMIT)
                .until(() -> Instant.now().isAfter(created(NEW).plusSeconds(9)));
        var began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        cluster.poolStatus(
                "worker",
                "{'conditions': [{'type': 'Updating', 'status': 'True', 'lastTransitionTime': '%s'}]}"
                        .formatted(began));
        cluster.awaitHeld("worker-1", NEW);
        cluster.awaitOpen("worker-1", NEW);

        assertThat(Instant.now()).isAfterOrEqualTo(began.plusSeconds(8));
    }

    @Test
    void poolThatNeverSaysThatItIsUpdatingIsHeldFromItsFirstRefusal() {
        cluster.rendered(NEW);
        var begin = Instant.now();
        cluster.awaitHeld("worker-1", NEW);
        cluster.awaitOpen("worker-1", NEW);

        assertThat(Instant.now()).isAfterOrEqualTo(begin.plusSeconds(8));
    }

    /** Nothing in the cluster says when it began; the Nodes that come after the first share its limit. */
    @Test
    void nodePoolIsHeldFromItsFirstRefusal() {
        var pool = new InPlaceNodePool(cluster, "workers");
        pool.join("w-0", "w-1");
        var begin = Instant.now();
        assertThat(pool.send("w-0", "8d3f2a1c").err()).contains("held: ");

        pool.awaitSent("w-0", "8d3f2a1c");
        assertThat(Instant.now()).isAfterOrEqualTo(begin.plusSeconds(8));
        pool.done("w-0", "8d3f2a1c");
        pool.send("w-1", "8d3f2a1c").orFail();
    }

    @Test
    void nextTargetIsARolloutOfItsOwn() {
        cluster.rendered(NEW);
        cluster.awaitHeld("worker-1", NEW);
        cluster.awaitOpen("worker-1", NEW);

        var next = NEW.replace('2', '3');
        cluster.rendered(next);
        cluster.pool("worker", next, "{}");
        cluster.awaitHeld("worker-1", next);
    }

    @Test
    void targetThatComesBackAfterItsLimitIsARolloutOfItsOwn() {
        cluster.rendered(NEW);
        cluster.awaitHeld("worker-1", NEW);
        cluster.awaitOpen("worker-1", NEW);

        cluster.pool("worker", OLD, "{}");
        await("the other target is known")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.refusal("worker-1", NEW).isPresent());
    }

    @Test
    void syncsThatFollowOneAnotherHoldNoLongerThanOne() {
        cluster.rendered(NEW);
        var begin = Instant.now();
        cluster.awaitHeld("worker-1", NEW);
        cluster.applications().create("next");
        cluster.applications().startSync("next");
        cluster.awaitCounted(2);
        cluster.applications().endSync("endless");
        cluster.awaitCounted(1);
        cluster.awaitOpen("worker-1", NEW);

        assertThat(Instant.now()).isAfterOrEqualTo(begin.plusSeconds(8));
        cluster.applications().startSync("endless");
        cluster.applications().delete("next");
        cluster.awaitCounted(1);
    }

    @Test
    void syncThatWaitsForTheRolloutItselfGetsItAtTheLimit() {
        cluster.rendered(NEW);
        cluster.awaitHeld("worker-1", NEW);
        await("the node has what the sync waits for")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.send("worker-1", NEW).exitCode() == 0);

        cluster.applications().endSync("endless");
        cluster.awaitCounted(0);
        cluster.applications().startSync("endless");
        cluster.awaitCounted(1);
    }

    private Instant created(String config) {
        return Instant.parse(cluster.controlPlane()
                .kubectl("get", "machineconfig", config, "-o", "jsonpath={.metadata.creationTimestamp}")
                .orFail()
                .out());
    }
}
