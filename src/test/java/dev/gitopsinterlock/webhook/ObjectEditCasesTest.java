package dev.gitopsinterlock.webhook;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.effect.Effect;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.testing.review.JobRoutes;
import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every folder of src/test/resources/reviews/objects: a live object and an edit in, the words out. */
class ObjectEditCasesTest {

    private static final Path CASES = Path.of("src/test/resources/reviews/objects");

    private static final Policy.Levels LEVELS = new Policy.Levels(
            Policy.Values.DEFAULT,
            true,
            new ReplacementScope.Off(ReplacementScope.Why.SWITCHED_OFF),
            Set.of("kube-system"));

    static List<String> cases() throws IOException {
        try (var folders = Files.list(CASES)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void answerIsTheExpectedOne(String name) {
        GoldenFiles.compare(CASES.resolve(name).resolve("expected.txt"), answer(name));
    }

    @Test
    void everyCodeHasACase() throws IOException {
        var answers = cases().stream().map(ObjectEditCasesTest::answer).collect(joining("\n"));

        assertThat(GuidanceCode.OF_OBJECT_EDITS)
                .allSatisfy(code -> assertThat(answers).contains("code=" + code.token() + " "));
    }

    /** Contents are in some of the cases; nothing of them may be told. */
    @Test
    void noAnswerHasAValue() throws IOException {
        for (var name : cases()) {
            assertThat(answer(name)).as(name).doesNotContain("hunter", "aHVudGVy", "nvme", "2000", "example.com/");
        }
    }

    private static String answer(String name) {
        var given = Trees.resource("reviews/objects/%s/request.yaml".formatted(name));
        var namespace = new HashMap<String, String>();
        given.path("namespaceAnnotations")
                .properties()
                .forEach(entry -> namespace.put(entry.getKey(), entry.getValue().asText()));
        var replaces = given.path("replacement").asBoolean();
        var levels = replaces
                ? new Policy.Levels(
                        Policy.Values.DEFAULT,
                        true,
                        new ReplacementScope.On(given.path("jobAnnotations").asBoolean(), Set.of()),
                        Set.of())
                : LEVELS;
        var route = GuardedKinds.route(
                levels,
                JobRoutes.known(Map.copyOf(namespace)),
                (caller, effect, patience) -> ReviewCase.outcome(given.path("outcome")),
                () -> 37);
        var reviewed = Reviewed.by(route, review(given));
        var decision = reviewed.decision().orElseThrow();
        var effect =
                reviewed.question().map(planned -> effect(planned.effect())).orElse("");
        var warnings = decision.warnings().stream()
                .map(warning -> "warning: " + warning.text(Reviewed.PAGES) + "\n")
                .collect(joining());
        if (decision.verdict() instanceof Allow(var reason, var patch)) {
            assertThat(patch.isEmpty() || replaces || reason.token().equals("would_be_refused"))
                    .isTrue();
            return "allowed: " + reason.token() + "\n"
                    + (patch.isEmpty() ? "" : "patch: " + withoutSpec(patch.tree(), given.at("/live/spec")) + "\n")
                    + effect
                    + warnings;
        }
        var status = reviewed.answer().at("/response/status");
        var cause = status.at("/details/causes/0");
        return """
                %s

                Argo CD, Flux, Fleet, Helm:
                %s

                kubectl, oc:
                The %s "%s" is invalid: %s: %s
                """.formatted(
                        effect + warnings + logged(reviewed),
                        status.path("message").asText(),
                        status.at("/details/kind").asText(),
                        status.at("/details/name").asText(),
                        cause.path("field").asText(),
                        cause.path("message").asText());
    }

    /** The live spec as a whole would be all that one sees. */
    private static JsonNode withoutSpec(JsonNode patch, JsonNode live) {
        for (var operation : patch) {
            if (operation.path("path").asText().equals("/spec")
                    && operation.path("value").equals(live)) {
                ((ObjectNode) operation).put("value", "that of the live object");
            }
        }
        return patch;
    }

    private static String effect(Effect effect) {
        var operation = effect.operation();
        return "effect: %s %s as %s, with metadata %s\n"
                .formatted(
                        effect.token(),
                        operation.object(),
                        operation.fieldManager(),
                        operation.newObject().path("metadata"));
    }

    private static String logged(Reviewed<?, ?> reviewed) {
        return reviewed.decision()
                .map(decision -> (Deny) decision.verdict())
                .map(deny -> "denied: " + Fact.line(deny.denial().facts()))
                .orElseThrow();
    }

    private static JsonNode review(JsonNode given) {
        var kind = given.path("kind").asText().split("/", -1);
        ObjectNode live = given.path("live").deepCopy();
        var edited = live.deepCopy();
        given.path("edit")
                .properties()
                .forEach(edit -> set(edited, JsonPointer.compile(edit.getKey()), edit.getValue()));
        var review = Trees.JSON
                .createObjectNode()
                .put("apiVersion", "admission.k8s.io/v1")
                .put("kind", "AdmissionReview");
        var request = review.putObject("request").put("uid", "u").put("operation", "UPDATE");
        request.putObject("kind").put("group", kind[0]).put("version", kind[1]).put("kind", kind[2]);
        request.put("dryRun", given.path("dryRun").asBoolean());
        request.put("name", live.at("/metadata/name").asText());
        if (live.at("/metadata/namespace").isTextual()) {
            request.put("namespace", live.at("/metadata/namespace").asText());
        }
        request.putObject("userInfo").put("username", given.path("user").asText());
        request.putObject("options")
                .put("fieldManager", given.path("fieldManager").asText());
        request.set("oldObject", live);
        request.set("object", edited);
        return review;
    }

    private static void set(ObjectNode object, JsonPointer at, JsonNode value) {
        var parent = object.at(at.head());
        var last = at.last().getMatchingProperty();
        switch (parent) {
            case ArrayNode list when at.last().getMatchingIndex() == list.size() -> list.add(value);
            case ArrayNode list -> list.set(at.last().getMatchingIndex(), value);
            case ObjectNode struct when value.isNull() -> struct.remove(last);
            case ObjectNode struct -> struct.set(last, value);
            default -> object.withObject(at.head()).set(last, value);
        }
    }
}
