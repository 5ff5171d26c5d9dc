package dev.gitopsinterlock.webhook;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.effect.Effect;
import dev.gitopsinterlock.effect.PlannedEffect;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.PolicySettings;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.testing.review.JobRoutes;
import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.webhook.ReviewBody.Fault;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every folder and every row of src/test/resources/reviews/jobs: bytes in, bytes out. */
class ReviewCasesTest {

    static List<ReviewCase> cases() {
        return ReviewCase.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void answerIsTheExpectedOne(ReviewCase given) {
        var actual = outcome(given, given.review());
        GoldenFiles.compare(Trees.yaml(given.expected()), Trees.yaml(actual), () -> given.expect(actual));
    }

    @Test
    void noTwoCasesHaveOneName() {
        assertThat(cases()).extracting(ReviewCase::name).doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void dryRunGetsTheSameAnswer(ReviewCase given) {
        var review = given.review();
        review.withObject("/request").put("dryRun", true);

        assertThat(Trees.yaml(withoutDrift(outcome(given, review))))
                .isEqualTo(Trees.yaml(withoutDrift(outcome(given, given.review()))));
    }

    /** What is carried out says so, and what would be says that; all else is the same. */
    private static JsonNode withoutDrift(JsonNode outcome) {
        ObjectNode copy = outcome.deepCopy();
        return copy.has("effect") ? copy.without(List.of("patch", "warnings")) : copy;
    }

    @Test
    void everyCodeOfARefusalHasACase() {
        var codes = ReviewCase.all().stream()
                .map(given -> given.expected().path("code").asText())
                .collect(toCollection(TreeSet::new));

        assertThat(codes)
                .containsAll(Reviewed.PAGES.remedies().keySet().stream()
                        .map(GuidanceCode::new)
                        .filter(code ->
                                !GuidanceCode.OF_OBJECT_EDITS.contains(code) && !GuidanceCode.OF_CHECKS.contains(code))
                        .map(GuidanceCode::token)
                        .toList());
    }

    @Test
    void everyToolHasACase() {
        var tools = ReviewCase.all().stream()
                .map(given -> given.expected().path("tool").asText())
                .collect(toCollection(TreeSet::new));

        assertThat(tools)
                .containsAll(EnumSet.allOf(Tool.class).stream().map(Tool::label).toList());
    }

    private static ObjectNode outcome(ReviewCase given, JsonNode review) {
        var levels = levels(given.policy());
        return given.asksForAdvice()
                ? outcome(Reviewed.by(JobRoutes.validating(levels), review), review)
                : outcome(
                        Reviewed.by(JobRoutes.mutating(levels, namespace(given.policy()), given.outcome()), review),
                        review);
    }

    private static <Q> ObjectNode outcome(Reviewed<Change, Q> reviewed, JsonNode review) {
        if (reviewed.status() != 200) {
            return Trees.JSON
                    .createObjectNode()
                    .put("verdict", "malformed")
                    .put("fault", fault(reviewed.body()).name());
        }
        if (reviewed.parsed().orElseThrow() instanceof Unsupported<Change>(String where)) {
            return Trees.JSON.createObjectNode().put("verdict", "allow").put("reason", "unsupported: " + where);
        }
        var uid = review.at("/request/uid").asText();
        var outcome = outcome(reviewed.decision().orElseThrow(), reviewed.answer(), uid);
        reviewed.question()
                .map(PlannedEffect.class::cast)
                .ifPresent(planned -> outcome.set("effect", effect(planned.effect())));
        return outcome;
    }

    private static Fault fault(String line) {
        return Stream.of(Fault.values())
                .filter(fault -> fault.line().equals(line.strip()))
                .findFirst()
                .orElseThrow();
    }

    /** What would be done, without what the new Job has of the old one. */
    private static ObjectNode effect(Effect effect) {
        var operation = effect.operation();
        var node = Trees.JSON
                .createObjectNode()
                .put("kind", effect.getClass().getSimpleName())
                .put("fieldManager", operation.fieldManager());
        node.set(
                "newJob",
                Trees.JSON
                        .createObjectNode()
                        .set("metadata", operation.newObject().path("metadata")));
        operation.newObject().path("spec").fieldNames().forEachRemaining(node.withArrayProperty("fieldsOfSpec")::add);
        return node;
    }

    private static ObjectNode outcome(Decision decision, JsonNode answer, String uid) {
        var response = answer.path("response");
        assertThat(response.path("uid").asText()).isEqualTo(uid);
        var outcome = Trees.JSON.createObjectNode();
        switch (decision.verdict()) {
            case Allow(var reason, var patch) -> {
                assertThat(response.path("allowed")).isEqualTo(Trees.json("true"));
                assertThat(response.has("status")).isFalse();
                outcome.put("verdict", "allow").put("reason", reason.token());
                assertThat(response.has("patchType")).isEqualTo(!patch.isEmpty());
                if (!patch.isEmpty()) {
                    outcome.set("patch", withoutSpecs(patch.tree()));
                }
            }
            case Deny(var denial) -> {
                var guidance = (RefusedEdit) denial;
                assertThat(response.path("allowed")).isEqualTo(Trees.json("false"));
                assertThat(response.path("status").path("reason").asText()).isEqualTo("Invalid");
                assertThat(causes(response))
                        .isEqualTo(
                                guidance.refused().fields().stream().limit(10).toList());
                outcome.put("verdict", "deny");
                outcome.set("code", response.path("auditAnnotations").path("guidance"));
                outcome.set("tool", response.path("auditAnnotations").path("requester"));
                guidance.refused().fields().forEach(outcome.withArrayProperty("fields")::add);
                outcome.set("httpCode", response.path("status").path("code"));
                guidance.preview()
                        .ifPresent(preview ->
                                outcome.put("preview", preview.token()).put("obstacle", preview.obstacle()));
            }
        }
        if (response.has("warnings")) {
            outcome.set("warnings", response.path("warnings"));
        }
        return outcome;
    }

    /** The live spec as a whole would be all that one sees. */
    private static JsonNode withoutSpecs(ArrayNode patch) {
        for (var operation : patch) {
            if (operation.path("path").asText().equals("/spec")) {
                ((ObjectNode) operation).put("value", "that of the live Job");
            }
        }
        return patch;
    }

    private static List<String> causes(JsonNode response) {
        return StreamSupport.stream(
                        response.path("status").path("details").path("causes").spliterator(), false)
                .map(cause -> cause.path("field").asText())
                .toList();
    }

    private static Policy.Levels levels(JsonNode policy) {
        return new Policy.Levels(
                cluster(policy),
                policy.path("allowOverrides").asBoolean(true),
                replacement(policy),
                Set.of("kube-system"));
    }

    private static Policy.Values cluster(JsonNode policy) {
        var defaults = Policy.Values.DEFAULT;
        return new Policy.Values(
                PolicySettings.ON_IMMUTABLE_CHANGE
                        .parse(policy.path("cluster").asText("Reject"))
                        .orElseThrow(),
                defaults.whenActive(),
                defaults.ttlSecondsAfterFinished(),
                defaults.generateName(),
                defaults.holdRestarts(),
                policy.path("doNotDisrupt").asBoolean());
    }

    /** On, by whomever it is switched on, unless the case says otherwise. */
    private static ReplacementScope replacement(JsonNode policy) {
        return policy.has("replacementOff")
                ? new ReplacementScope.Off(ReplacementScope.Why.valueOf(
                        policy.path("replacementOff").asText()))
                : new ReplacementScope.On(
                        policy.path("jobAnnotations").asBoolean(true),
                        policy.path("replacementNamespaces")
                                .valueStream()
                                .map(JsonNode::asText)
                                .collect(toSet()));
    }

    private static Map<String, String> namespace(JsonNode policy) {
        var annotations = new HashMap<String, String>();
        policy.path("namespace")
                .properties()
                .forEach(entry ->
                        annotations.put(entry.getKey(), entry.getValue().asText()));
        return annotations;
    }
}
