package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.config.GuidancePages;
import dev.gitopsinterlock.machineconfig.ClusterView;
import dev.gitopsinterlock.machineconfig.ConfigAdviceRule;
import dev.gitopsinterlock.machineconfig.ConfigChange;
import dev.gitopsinterlock.machineconfig.Gate.Closed;
import dev.gitopsinterlock.machineconfig.Gate.Open;
import dev.gitopsinterlock.machineconfig.GatePolicy;
import dev.gitopsinterlock.machineconfig.NodeChange;
import dev.gitopsinterlock.machineconfig.NodeGateRule;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.testing.Gates;
import dev.gitopsinterlock.testing.Trees;
import dev.gitopsinterlock.webhook.ParseResult.Parsed;
import dev.gitopsinterlock.webhook.ParseResult.Unsupported;
import dev.gitopsinterlock.webhook.ReviewReading.Malformed;
import dev.gitopsinterlock.webhook.ReviewReading.Review;
import dev.gitopsinterlock.webhook.ReviewReading.TooCostly;
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
    private static final ReviewWriter WRITER =
            new ReviewWriter(GuidancePages.text("https://gitops-interlock.dev/guidance/"));
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

        assertThatCode(() -> answers(review)).doesNotThrowAnyException();
    }

    private static JsonNode answer(JsonNode review) {
        return Trees.json(answers(review).getBytes(UTF_8));
    }

    /** What the endpoint of its kind answers, or what would be logged. */
    private static String answers(JsonNode review) {
        var subject = review.at("/request/kind/kind").asText().equals("Node") ? Subject.NODE : Subject.CONFIG;
        return switch (ReviewReader.read(Trees.bytes(review), subject.kinds())) {
            case Malformed(var fault) -> fault.line();
            case TooCostly tooCostly -> throw new IllegalStateException("nothing is too costly here");
            case Review(String uid, JsonNode request, long heap) -> answers(subject, uid, request);
        };
    }

    private static <C> String answers(Subject<C> subject, String uid, JsonNode request) {
        return switch (subject.reader().apply(request)) {
            case Unsupported<C>(String where) -> where;
            case Parsed<C>(C change) ->
                new String(WRITER.write(uid, decide(change)), UTF_8)
                        + (subject.about().apply(change).isEmpty() ? "?" : "");
        };
    }

    private static Decision decide(Object change) {
        return switch (change) {
            case NodeChange node -> decide(node);
            case ConfigChange config -> ConfigAdviceRule.decide(config, CLUSTER, POLICY, NOW);
            default -> throw new IllegalArgumentException(change.getClass().getName());
        };
    }

    private static Decision decide(NodeChange change) {
        return switch (NodeGateRule.look(change, CLUSTER, POLICY, NOW)) {
            case Open(var reason) -> NodeGateRule.allow(change, reason);
            case Closed closed ->
                NodeGateRule.conclude(change, closed, Optional.of(NOW), Optional.empty(), POLICY, NOW);
        };
    }
}
