package dev.gitopsinterlock.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cli.cel.RuleEvaluators;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of definitions on two states of an object. */
class TransitionRulesTest {

    private static final RuleEvaluator RULES = new RuleEvaluators();

    static Stream<JsonNode> cases() {
        return Trees.resource("crd/rules.yaml").valueStream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void saysWhatTheRulesSay(JsonNode known) {
        var spec = (ObjectNode) known.get("schema");
        spec.put("type", "object");

        assertThat(outcomes(
                        definition(spec, false), object("v1", known.get("before")), object("v1", known.get("after"))))
                .as(known.get("name").asText())
                .isEqualTo(known.get("says").valueStream().map(JsonNode::asText).toList());
    }

    static Stream<JsonNode> liveObjects() {
        return Trees.resource("crd/live.yaml").valueStream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("liveObjects")
    void knowsWhatAnApplyMakesOfALiveObject(JsonNode known) {
        var openApi = Trees.resource("crd/openapi.yaml");
        var schema = (ObjectNode) openApi.at("/components/schemas/com.example.v1.Thing");
        schema.withObject("/properties/spec").set("required", known.path("needs"));
        var definition = Definition.published(openApi).getFirst();

        assertThat(said(TransitionRules.ofLive(
                        definition, known.get("live"), known.path("base"), thing(known.get("target")), RULES)))
                .as(known.get("name").asText())
                .isEqualTo(known.get("says").valueStream().map(JsonNode::asText).toList());
    }

    private static JsonNode thing(JsonNode target) {
        return ((ObjectNode) target).put("apiVersion", "example.com/v1");
    }

    static Stream<JsonNode> functions() {
        return Trees.resource("crd/functions.yaml").valueStream();
    }

    /** What it says is what a real API server says: {@code CustomResourceCheckIT}. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("functions")
    void knowsWhatKubernetesAdds(JsonNode known) {
        var schema = known.path("schema").isObject()
                ? (ObjectNode) known.get("schema")
                : Trees.JSON.createObjectNode().put("type", "string");
        schema.putArray("x-kubernetes-validations").addObject().set("rule", known.get("rule"));
        var spec = Trees.JSON.createObjectNode().put("type", "object");
        spec.putObject("properties").set("a", schema);

        var outcomes = outcomes(
                definition(spec, false),
                object("v1", Trees.JSON.createObjectNode().set("a", known.get("before"))),
                object("v1", Trees.JSON.createObjectNode().set("a", known.get("after"))));
        assertThat(outcomes.isEmpty() ? "allowed" : outcomes.getFirst().replaceFirst(" .*", ""))
                .as("%s: %s", known, outcomes)
                .isEqualTo(known.get("says").asText().replace("error", "unknown"));
    }

    @Test
    void whatAWebhookConvertsIsNotKnown() {
        var schema = (ObjectNode)
                Trees.json(
                        "{'type': 'object', 'properties': {'a': {'type': 'string', 'x-kubernetes-validations': [{'rule': 'self == oldSelf'}]}}}");
        var before = object("v1beta1", Trees.json("{'a': 'x'}"));
        var after = object("v1", Trees.json("{'a': 'y'}"));

        assertThat(outcomes(definition(schema, false), before, after))
                .containsExactly("refused spec.a: failed rule: self == oldSelf");
        assertThat(outcomes(definition(schema, true), before, after))
                .containsExactly(
                        "unknown spec.a: failed rule: self == oldSelf (a webhook converts the object from another version)");
    }

    /** The API server compares the two in one version. */
    @Test
    void anotherVersionAloneIsNoChange() {
        var definition = definition(Trees.JSON.createObjectNode().put("type", "object"), false);
        ((ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema"))
                .putArray("x-kubernetes-validations")
                .addObject()
                .put("rule", "self == oldSelf");
        var spec = Trees.JSON.createObjectNode();

        assertThat(outcomes(definition, object("v1beta1", spec), object("v1", spec)))
                .isEmpty();
    }

    /** More than a million steps; the API server allows about as many. */
    @Test
    void aRuleThatTakesTooLongIsGivenUp() {
        var schema = (ObjectNode) Trees.json(
                "{'type': 'object', 'properties': {'l': {'type': 'array', 'items': {'type': 'integer'}, 'x-kubernetes-validations':"
                        + " [{'rule': 'self.all(a, self.all(b, self.all(c, a + b + c >= oldSelf[0])))'}]}}}");
        var before = Trees.JSON.createObjectNode();
        IntStream.range(0, 1000).forEach(before.putArray("l")::add);
        var after = before.deepCopy();
        after.withArray("l").add(1);

        assertThat(outcomes(definition(schema, false), object("v1", before), object("v1", after)))
                .singleElement()
                .asString()
                .startsWith("unknown spec.l: ")
                .endsWith(" (it takes too many steps)");
    }

    /** Each takes less than a rule may, and all of them more than an object may. */
    @Test
    void rulesThatTakeTooLongTogetherAreGivenUp() {
        var schema = (ObjectNode) Trees.json(
                "{'type': 'object', 'additionalProperties': {'type': 'array', 'items': {'type': 'integer'}, 'x-kubernetes-validations':"
                        + " [{'rule': 'self.all(a, self.all(b, a + b >= oldSelf[0]))'}]}}");
        var before = Trees.JSON.createObjectNode();
        IntStream.range(0, 9)
                .mapToObj(number -> before.putArray("f" + number))
                .forEach(list -> IntStream.range(0, 300).forEach(list::add));
        var after = before.deepCopy();
        after.forEach(list -> ((ArrayNode) list).add(1));

        assertThat(outcomes(definition(schema, false), object("v1", before), object("v1", after)))
                .hasSizeBetween(1, 8)
                .allMatch(said -> said.endsWith(" (the rules of this object take too many steps together)"));
        var small = object("v1", Trees.json("{'f0': [1]}"));
        assertThat(outcomes(definition(schema, false), small, object("v1", Trees.json("{'f0': [0]}"))))
                .singleElement()
                .asString()
                .startsWith("refused spec[f0]: ");
    }

    /** By aliases: each part has the next one twice, at the same place or one deeper. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rulesThatAreThereManyTimesOverAreEvaluatedOnce(boolean isDeeper) {
        var rules = Trees.json("{'x-kubernetes-validations': [{'rule': 'self == oldSelf'}]}");
        var schema = Trees.json("{'type': 'integer'}");
        var before = Trees.json("1");
        var after = Trees.json("2");
        for (var depth = 0; depth < 14; depth++) {
            var parts = Trees.JSON.createArrayNode();
            parts.add(isDeeper ? below(rules) : rules).add(isDeeper ? below(rules) : rules);
            rules = Trees.JSON.createObjectNode().set("allOf", parts);
            if (isDeeper) {
                schema = below(schema);
                before = Trees.JSON.createObjectNode().set("a", before);
                after = Trees.JSON.createObjectNode().set("a", after);
            }
        }
        ((ObjectNode) schema).set("allOf", rules.get("allOf"));

        assertThat(outcomes(definition((ObjectNode) schema, false), object("v1", before), object("v1", after)))
                .hasSize(1);
    }

    private static JsonNode below(JsonNode schema) {
        return Trees.JSON
                .createObjectNode()
                .put("type", "object")
                .set("properties", Trees.JSON.createObjectNode().set("a", schema));
    }

    private static List<String> outcomes(JsonNode definition, JsonNode before, JsonNode after) {
        return Definition.of(definition).stream()
                .flatMap(known -> said(TransitionRules.of(known, before, after, RULES)).stream())
                .toList();
    }

    private static List<String> said(List<RuleOutcome> outcomes) {
        return outcomes.stream()
                .map(outcome -> "%s %s: %s%s"
                        .formatted(
                                outcome.unknown().isEmpty() ? "refused" : "unknown",
                                outcome.field(),
                                outcome.said(),
                                outcome.unknown().map(" (%s)"::formatted).orElse("")))
                .toList();
    }

    private static JsonNode definition(ObjectNode schema, boolean isConverted) {
        var definition = Trees.fromYaml("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                spec:
                  group: example.com
                  names: {kind: Thing}
                  conversion: {strategy: %s}
                  versions: [{name: v1, schema: {openAPIV3Schema: {type: object, properties: {}}}}]
                """.formatted(isConverted ? "Webhook" : "None"));
        ((ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema/properties")).set("spec", schema);
        return definition;
    }

    private static JsonNode object(String version, JsonNode spec) {
        var object =
                Trees.fromYaml("{apiVersion: example.com/%s, kind: Thing, metadata: {name: a}}".formatted(version));
        object.set("spec", spec);
        return object;
    }
}
