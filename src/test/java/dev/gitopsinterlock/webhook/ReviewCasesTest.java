package dev.gitopsinterlock.webhook;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Effect;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.CarryOut;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.config.GuidancePages;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.GuidanceText;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.guidance.RolloutHeld;
import dev.gitopsinterlock.job.CarryOutScope;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.JobEditRule;
import dev.gitopsinterlock.job.JobLintRule;
import dev.gitopsinterlock.job.JobPolicy;
import dev.gitopsinterlock.job.JobRule;
import dev.gitopsinterlock.job.JobSettings;
import dev.gitopsinterlock.testing.GoldenFiles;
import dev.gitopsinterlock.testing.ReviewCase;
import dev.gitopsinterlock.testing.Trees;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.webhook.ParseResult.Parsed;
import dev.gitopsinterlock.webhook.ParseResult.Unsupported;
import dev.gitopsinterlock.webhook.ReviewReading.Fault;
import dev.gitopsinterlock.webhook.ReviewReading.Malformed;
import dev.gitopsinterlock.webhook.ReviewReading.Review;
import dev.gitopsinterlock.webhook.ReviewReading.TooCostly;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every folder of src/test/resources/reviews/jobs: bytes in, bytes out. */
class ReviewCasesTest {

    private static final GuidanceText PAGES = GuidancePages.text("https://gitops-interlock.dev/guidance/");
    private static final ReviewWriter WRITER = new ReviewWriter(PAGES);

    static List<ReviewCase> cases() {
        return ReviewCase.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void answerIsTheExpectedOne(ReviewCase given) {
        var actual = Trees.yaml(outcome(given, given.review()));
        var expected = Trees.yaml(given.expected());
        if (GoldenFiles.areWritten() && !actual.equals(expected)) {
            given.expect(actual);
        } else {
            assertThat(actual).isEqualTo(expected);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void dryRunGetsTheSameAnswer(ReviewCase given) {
        var review = given.review();
        review.withObject("/request").put("dryRun", true);

        var actual = outcome(given, review);

        assertThat(Trees.yaml(withoutDrift(actual))).isEqualTo(Trees.yaml(withoutDrift(given.expected())));
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
                .containsAll(PAGES.remedies().keySet().stream()
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
        return switch (ReviewReader.read(Trees.bytes(review), Subject.JOB_EDIT.kinds())) {
            case Malformed(Fault fault) ->
                Trees.JSON.createObjectNode().put("verdict", "malformed").put("fault", fault.name());
            case TooCostly tooCostly -> throw new IllegalStateException("nothing is too costly here");
            case Review(String uid, JsonNode request, long heap) -> outcome(given, uid, request);
        };
    }

    private static ObjectNode outcome(ReviewCase given, String uid, JsonNode request) {
        return switch (JobReader.read(request)) {
            case Unsupported<JobChange>(String where) ->
                Trees.JSON.createObjectNode().put("verdict", "allow").put("reason", "unsupported: " + where);
            case Parsed<JobChange>(var change) -> {
                var decision = decision(given, change);
                if (decision.verdict() instanceof CarryOut(var effect)) {
                    var concluded = JobEditRule.conclude(change, effect, given.outcome(), decision);
                    var outcome = outcome(concluded, Trees.json(WRITER.write(uid, concluded)), uid);
                    outcome.set("effect", effect(effect));
                    yield outcome;
                }
                yield outcome(decision, Trees.json(WRITER.write(uid, decision)), uid);
            }
        };
    }

    private static Decision decision(ReviewCase given, JobChange change) {
        var levels = levels(given.policy());
        return given.asksForAdvice()
                ? JobLintRule.decide(change, levels)
                : JobRule.decide(change, levels, namespace(given.policy()));
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
                Trees.JSON.createObjectNode().set("metadata", operation.newJob().path("metadata")));
        operation.newJob().path("spec").fieldNames().forEachRemaining(node.withArrayProperty("fieldsOfSpec")::add);
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
            case CarryOut(var effect) -> throw new AssertionError("not concluded: " + effect);
            case Deny(RolloutHeld held) -> throw new AssertionError("no Job: " + held);
            case Deny(JobEditGuidance guidance) -> {
                assertThat(response.path("allowed")).isEqualTo(Trees.json("false"));
                assertThat(response.path("status").path("reason").asText()).isEqualTo("Invalid");
                assertThat(causes(response))
                        .isEqualTo(guidance.fields().stream().limit(10).toList());
                outcome.put("verdict", "deny");
                outcome.set("code", response.path("auditAnnotations").path("guidance"));
                outcome.set("tool", response.path("auditAnnotations").path("requester"));
                guidance.fields().forEach(outcome.withArrayProperty("fields")::add);
                outcome.set("httpCode", response.path("status").path("code"));
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

    private static JobPolicy.Levels levels(JsonNode policy) {
        return new JobPolicy.Levels(
                JobPolicy.Values.DEFAULT.with(JobSettings.ON_IMMUTABLE_CHANGE
                        .parse(policy.path("cluster").asText("Reject"))
                        .orElseThrow()),
                policy.path("allowOverrides").asBoolean(true),
                carryOut(policy),
                Set.of("kube-system"));
    }

    /** On, by whomever it is switched on, unless the case says otherwise. */
    private static CarryOutScope carryOut(JsonNode policy) {
        return policy.has("carryOutOff")
                ? new CarryOutScope.Off(
                        CarryOutScope.Why.valueOf(policy.path("carryOutOff").asText()))
                : new CarryOutScope.On(
                        policy.path("jobOverrides").asBoolean(true),
                        policy.path("carryOutNamespaces")
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
