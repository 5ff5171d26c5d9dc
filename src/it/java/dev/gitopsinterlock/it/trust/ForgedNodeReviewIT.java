package dev.gitopsinterlock.it.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The attack on the gate: a Pod that reaches the port says that a Node is sent to a new configuration. It gets an answer,
 * and nobody else hears of it: no Event, no metric, no memory that would make a real hold shorter.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForgedNodeReviewIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";
    private static final String HOLDS = "gitops_interlock_holds ";

    private OpenShiftCluster cluster;
    private Interlock unproven;

    @BeforeAll
    void start() {
        cluster = OpenShiftCluster.with(builder -> builder);
        // as it is installed by default; nobody asks it but the attacker
        unproven = Interlock.serving(cluster.controlPlane().webhookCertificates())
                .watching(cluster.controlPlane())
                .without("gitops-interlock.caller-token")
                .without("gitops-interlock.replacement.enabled")
                .start();
        cluster.rendered(OLD);
        cluster.rendered(NEW);
        cluster.applications().create("payments");
        cluster.applications().startSync("payments");
    }

    @AfterAll
    void end() {
        unproven.close();
        cluster.close();
    }

    /** All Nodes have what they are to have, so that no rollout is under way. */
    @BeforeEach
    void nothingIsRolledOut() {
        cluster.pool("worker", NEW, "{}");
        cluster.poolStatus(
                "worker",
                "{'conditions': [{'type': 'Updated', 'status': 'True', 'lastTransitionTime': '2026-11-22T00:00:00Z'}]}");
        cluster.awaitCounted(1);
        await("pool and sync known")
                .until(() -> unproven.ask("/validate/nodes", review()).body().contains("held: "));
    }

    @Test
    void nobodyHearsOfAForgedReview() {
        for (var path : new String[] {"/validate/nodes", "/validate/nodes/0123456789abcdefghij"}) {
            assertThat(unproven.ask(path, review()).body()).contains("held: ");
            assertThat(cluster.interlock().ask(path, review()).body()).contains("\"allowed\":true");
        }
        assertThat(unproven.metrics()).contains(HOLDS + "0.0");
        assertThat(cluster.interlock().metrics()).contains(HOLDS + "0.0");

        // and this is what they are missing
        cluster.interlock().ask("/validate/nodes/" + Interlock.TOKEN, review());
        assertThat(cluster.interlock().metrics()).contains(HOLDS + "1.0");
        await("Event for a proven caller")
                .untilAsserted(() ->
                        assertThat(cluster.events("worker", "RolloutHeld")).isNotEmpty());
        assertThat(cluster.events("worker", "RolloutHeld")).hasSize(1);
    }

    /** An annotation's value can be anything; a log has one line for one event. */
    @Test
    void aForgedTargetWritesNoLineIntoTheLog() {
        var forged = Trees.json(review().toString().replace(NEW, "x\\nforged").getBytes(UTF_8));

        cluster.interlock().ask("/validate/nodes", forged);

        assertThat(cluster.interlock().log()).contains("target=unprintable").doesNotContain("forged");
    }

    /** By default no caller can prove anything; what the pool itself says is proof enough to tell people. */
    @Test
    void withoutProofAHoldIsToldIfThePoolIsRollingOut() {
        cluster.poolStatus("worker", "{'conditions': []}");

        await("hold is told").untilAsserted(() -> {
            unproven.ask("/validate/nodes", review());
            assertThat(unproven.metrics()).contains(HOLDS + "1.0");
        });
    }

    private static JsonNode review() {
        var text = Trees.resource("reviews/others/node.yaml")
                .toString()
                .replace("rendered-worker-1", OLD)
                .replace("rendered-worker-2", NEW)
                .replace("\"s3cr3t\"", "\"Enabled\"");
        return Trees.json(text.getBytes(UTF_8));
    }
}
