package dev.gitopsinterlock.webhook;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.gate.GateRoute;
import dev.gitopsinterlock.gate.RolloutReason;
import dev.gitopsinterlock.machineconfig.ConfigRoute;
import dev.gitopsinterlock.testing.review.RolloutCase;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every folder of src/test/resources/reviews/rollouts: bytes in, bytes out. */
class RolloutCasesTest {

    static List<RolloutCase> cases() {
        return RolloutCase.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void answerIsTheExpectedOne(RolloutCase given) {
        var actual = Trees.yaml(outcome(reviewed(given)));
        GoldenFiles.compare(Trees.yaml(given.expected()), actual, () -> given.expect(actual));
    }

    @Test
    void everyReasonHasACase() {
        var reasons = RolloutCase.all().stream()
                .map(given -> given.expected().path("reason").asText())
                .collect(toSet());

        assertThat(reasons)
                .containsAll(Arrays.stream(RolloutReason.values())
                        // of Plans: UpgradeControllerTest
                        .filter(reason -> reason != RolloutReason.UNKNOWN_PLANS && reason != RolloutReason.NO_PLAN)
                        .map(RolloutReason::token)
                        .toList());
    }

    private static Reviewed<?, ?> reviewed(RolloutCase given) {
        return given.isAboutANode()
                ? Reviewed.by(
                        new GateRoute(given.known().makers(), given.policy(), given.facts()),
                        given.review(),
                        given.caller())
                : Reviewed.by(
                        new ConfigRoute(given.known().controller(), given.policy(), given.facts()),
                        given.review(),
                        given.caller());
    }

    private static ObjectNode outcome(Reviewed<?, ?> reviewed) {
        if (reviewed.parsed().orElseThrow() instanceof Unsupported<?>(String where)) {
            return Trees.JSON.createObjectNode().put("verdict", "allow").put("reason", "unsupported: " + where);
        }
        var response = reviewed.answer().path("response");
        var outcome = Trees.JSON.createObjectNode();
        switch (reviewed.decision().orElseThrow().verdict()) {
            case Allow(var reason, var patch) -> {
                assertThat(response.path("allowed")).isEqualTo(Trees.json("true"));
                assertThat(patch.isEmpty()).isTrue();
                outcome.put("verdict", "allow").put("reason", reason.token());
            }
            case Deny(var denial) -> {
                assertThat(response.path("allowed")).isEqualTo(Trees.json("false"));
                outcome.put("verdict", "deny");
                outcome.set("code", response.path("auditAnnotations").path("guidance"));
                outcome.set("httpCode", status(response, "code"));
                outcome.set("httpReason", status(response, "reason"));
                outcome.set("message", status(response, "message"));
            }
        }
        if (response.has("warnings")) {
            outcome.set("warnings", response.path("warnings"));
        }
        return outcome;
    }

    private static JsonNode status(JsonNode response, String field) {
        return response.path("status").path(field);
    }
}
