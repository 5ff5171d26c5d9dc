package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.gate.GateRoute;
import dev.gitopsinterlock.gate.GateRoute.Facts;
import dev.gitopsinterlock.machineconfig.ConfigRoute;
import dev.gitopsinterlock.testing.review.Gates;
import dev.gitopsinterlock.testing.review.RolloutCase;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Reviews of Nodes and of what pools are made of: bytes in, bytes out, whatever the bytes. */
class RolloutReviewsTest {

    private static final GatePolicy POLICY = Gates.ENABLED;

    /** While a sync is running, and the pool of the Node rolls out. */
    private static final RolloutCase HELD = RolloutCase.named("held");

    private static final Facts FACTS = HELD.facts();

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
                        "use Enabled, Observe or Disabled for gitops-interlock.dev/sync-hold on the Node; its value is unknown");
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
                ? Reviewed.by(new GateRoute(HELD.known().makers(), POLICY, FACTS), review)
                : Reviewed.by(new ConfigRoute(HELD.known().controller(), POLICY, FACTS), review);
    }
}
