package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.machineconfig.ClusterView;
import dev.gitopsinterlock.machineconfig.ConfigRoute;
import dev.gitopsinterlock.machineconfig.GatePolicy;
import dev.gitopsinterlock.machineconfig.NodeRoute;
import dev.gitopsinterlock.machineconfig.NodeRoute.Facts;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.machineconfig.RolloutHeld;
import dev.gitopsinterlock.testing.Gates;
import dev.gitopsinterlock.testing.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Reviews of Nodes and of what pools are made of: bytes in, bytes out, whatever the bytes. */
class RolloutReviewsTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final GatePolicy POLICY = Gates.ENABLED;
    private static final ClusterView CLUSTER = new ClusterView(
            Optional.of(List.of(new RunningSync(
                    "argocd", "payments", "default", false, false, Optional.empty(), Optional.of(NOW)))),
            Optional.of(List.of(Pool.of(Trees.json("""
                    {'metadata': {'name': 'worker', 'uid': 'u', 'labels': {'pools': 'workers'}},
                     'spec': {'nodeSelector': {'matchLabels': {'node-role.kubernetes.io/worker': ''}},
                              'machineConfigSelector': {'matchLabels': {'machineconfiguration.openshift.io/role': 'worker'}}},
                     'status': {'machineCount': 2}}
                    """)))),
            Optional.of(false));
    private static final Facts FACTS = new Facts() {
        @Override
        public ClusterView view() {
            return CLUSTER;
        }

        @Override
        public Instant now() {
            return NOW;
        }

        @Override
        public Optional<Instant> created(String target, Duration patience) {
            return Optional.of(NOW);
        }

        @Override
        public Optional<Instant> heldSince(Pool pool, String target) {
            return Optional.empty();
        }

        @Override
        public void refused(Caller caller, Pool pool, String target, RolloutHeld held, Instant now) {}
    };
    private static final List<ObjectNode> REVIEWS = Stream.of("node", "machineconfig", "kubeletconfig")
            .map(name -> (ObjectNode) Trees.resource("reviews/others/" + name + ".yaml"))
            .toList();

    @Test
    void aNodeIsHeldWith403AndNoValue() {
        var answer = answer(REVIEWS.getFirst());

        assertThat(answer.at("/response/allowed").asBoolean()).isFalse();
        assertThat(answer.at("/response/status/code").asInt()).isEqualTo(403);
        assertThat(answer.at("/response/status/reason").asText()).isEqualTo("Forbidden");
        assertThat(answer.at("/response/auditAnnotations/guidance").asText()).isEqualTo("RolloutHeld");
        assertThat(answer.at("/response/warnings/0").asText())
                .isEqualTo(
                        "use Enabled or Disabled for gitops-interlock.dev/sync-hold on the Node; its value is unknown");
        assertThat(answer.toString()).doesNotContain("s3cr3t");
    }

    @Test
    void aChangeIsAdmittedWithAWarningAndNoValue() {
        for (var review : REVIEWS.subList(1, 3)) {
            var answer = answer(review);

            assertThat(answer.at("/response/allowed").asBoolean()).isTrue();
            assertThat(answer.at("/response/warnings"))
                    .singleElement()
                    .asString()
                    .contains("rollout waits");
            assertThat(answer.toString()).doesNotContain("s3cr3t");
        }
    }

    @Property(tries = 3000)
    void reviewWithOddPartsIsAnswered(@ForAll long seed) {
        var review = RandomReviewsTest.mutated(REVIEWS, new Random(seed));

        assertThatCode(() -> reviewed(review)).doesNotThrowAnyException();
    }

    private static JsonNode answer(JsonNode review) {
        return reviewed(review).answer();
    }

    private static Reviewed<?, ?> reviewed(JsonNode review) {
        return review.at("/request/kind/kind").asText().equals("Node")
                ? Reviewed.by(new NodeRoute(POLICY, FACTS), review)
                : Reviewed.by(new ConfigRoute(POLICY, FACTS), review);
    }
}
