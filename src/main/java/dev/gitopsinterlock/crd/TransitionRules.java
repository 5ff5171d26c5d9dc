package dev.gitopsinterlock.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.crd.RuleEvaluator.Verdict;
import dev.gitopsinterlock.immutability.FieldPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * What the rules of a definition say of a change, at every depth, as the API server finds the value before for a value after:
 * by the name of a field, by a key of a map, by the keys of a list of type {@code map}. Promises: a rule that is broken, or
 * that nobody can evaluate though what it names changes, is in the outcomes; nothing else is. Of a manifest without what the
 * schema requires there are none.
 */
public final class TransitionRules {

    private static final Pattern STATUS = Pattern.compile("\\.\\??status\\b");

    private static final String DIFFER =
            "definitions of this kind differ: name the one that your cluster has, --crds FILE";

    private final RuleEvaluator evaluator;
    private final Definition.Version version;
    private final List<RuleOutcome> outcomes = new ArrayList<>();

    private TransitionRules(RuleEvaluator evaluator, Definition.Version version) {
        this.evaluator = evaluator;
        this.version = version;
    }

    /**
     * Those of all copies of its definition: nobody knows whether one that some lack counts.
     *
     * @param outcomes of one of them
     */
    public static List<RuleOutcome> ofAll(List<Definition> copies, Function<Definition, List<RuleOutcome>> outcomes) {
        var each = copies.stream().map(outcomes).toList();
        return each.stream()
                .flatMap(List::stream)
                .distinct()
                .map(outcome -> outcome.unknown().isPresent() || each.stream().allMatch(all -> all.contains(outcome))
                        ? outcome
                        : new RuleOutcome(outcome.field(), outcome.said(), Optional.of(DIFFER)))
                .toList();
    }

    /**
     * Those of an object's version.
     *
     * @param before the manifest that the object was made from
     * @param after the manifest that is to be applied
     */
    public static List<RuleOutcome> of(
            Definition definition, JsonNode before, JsonNode after, RuleEvaluator evaluator) {
        var version = definition.versions().get(versionOf(after));
        if (version == null) {
            return List.of();
        }
        var rules = new TransitionRules(evaluator(definition, before, after, evaluator), version);
        return isComplete(after, version) ? rules.of(before, after) : List.of();
    }

    private static RuleEvaluator evaluator(
            Definition definition, JsonNode before, JsonNode after, RuleEvaluator evaluator) {
        return definition.isConverted() && !versionOf(before).equals(versionOf(after))
                ? (rule, isOldOptional, schema, self, oldSelf) ->
                        new Verdict.Unknown("a webhook converts the object from another version")
                : evaluator.forObject();
    }

    /**
     * Those of a live object's version, with its status, which no manifest changes.
     *
     * @param base manifest that it was made from; a missing node where it is not known
     * @param target manifest that is to be applied
     */
    public static List<RuleOutcome> ofLive(
            Definition definition, JsonNode live, JsonNode base, JsonNode target, RuleEvaluator evaluator) {
        var version = definition.versions().get(versionOf(target));
        if (version == null || !isComplete(target, version)) {
            return List.of();
        }
        var after = StoredResource.applied(target, live, base);
        if (version.hasStatus()) {
            after.remove("status");
            live.optional("status").ifPresent(status -> after.set("status", status));
        }
        return after.equals(live)
                ? List.of()
                : new TransitionRules(
                                evaluator(definition, live, target, evaluator),
                                new Definition.Version(version.schema(), false))
                        .of(live, after);
    }

    private List<RuleOutcome> of(JsonNode before, JsonNode after) {
        var schema = version.schema();
        var self = StoredResource.of(after, version);
        var old = StoredResource.of(before, version);
        if (old instanceof ObjectNode converted && self.has("apiVersion")) {
            converted.set("apiVersion", self.get("apiVersion"));
        }
        look(List.of(schema), schema, FieldPath.ROOT, self, old);
        return List.copyOf(outcomes);
    }

    private static boolean isComplete(JsonNode manifest, Definition.Version version) {
        return isComplete(StoredResource.of(manifest, version), version.schema());
    }

    /** Otherwise it is a patch, which says nothing about what it leaves out. */
    private static boolean isComplete(JsonNode value, JsonNode schema) {
        if (value.isArray()) {
            return value.valueStream().allMatch(item -> isComplete(item, schema.path("items")));
        }
        return !value.isObject()
                || (schema.path("required").valueStream().allMatch(name -> value.has(name.asText()))
                        && value.propertyStream()
                                .allMatch(field -> isComplete(
                                        field.getValue(),
                                        schema.path("properties").has(field.getKey())
                                                ? schema.path("properties").get(field.getKey())
                                                : schema.path("additionalProperties"))));
    }

    private static String versionOf(JsonNode object) {
        return object.path("apiVersion").asText().replaceFirst(".*/", "");
    }

    /** Rules may stand in an {@code allOf} of their own, about values whose shape the schema around it has. */
    private void look(List<JsonNode> rules, JsonNode schema, FieldPath place, JsonNode self, JsonNode old) {
        if (self.isMissingNode() || self.isNull()) {
            return;
        }
        // an alias may stand there any number of times
        var parts = new ArrayList<JsonNode>();
        var seen = Collections.newSetFromMap(new IdentityHashMap<JsonNode, Boolean>());
        rules.forEach(each -> addParts(each, seen, parts));
        var before = Optional.of(old).filter(node -> !node.isMissingNode() && !node.isNull());
        parts.forEach(
                part -> TransitionConstraint.of(part).forEach(rule -> evaluate(rule, schema, place, self, before)));
        if (self.isArray()) {
            var keys = keys(schema);
            var items = new HashMap<List<JsonNode>, JsonNode>();
            keys.ifPresent(names -> old.forEach(item -> items.put(key(item, names), item)));
            for (var i = 0; i < self.size(); i++) {
                var item = self.get(i);
                var same = keys.map(names -> items.get(key(item, names))).orElseGet(MissingNode::getInstance);
                look(at(parts, "items"), schema.path("items"), place.index(i), item, same);
            }
        } else if (self.isObject()) {
            self.properties().forEach(field -> below(parts, schema, place, field.getKey(), field.getValue(), old));
        }
    }

    private static void addParts(JsonNode rules, Set<JsonNode> seen, List<JsonNode> parts) {
        if (seen.add(rules)) {
            parts.add(rules);
            rules.path("allOf").forEach(part -> addParts(part, seen, parts));
        }
    }

    private static List<JsonNode> at(List<JsonNode> rules, String name) {
        return rules.stream().map(each -> each.path(name)).toList();
    }

    private void below(
            List<JsonNode> rules, JsonNode schema, FieldPath place, String name, JsonNode value, JsonNode old) {
        var isStatus = version.hasStatus() && place.equals(FieldPath.ROOT) && name.equals("status");
        if (!isStatus && schema.path("properties").has(name)) {
            look(
                    at(at(rules, "properties"), name),
                    schema.path("properties").path(name),
                    place.field(name),
                    value,
                    old.path(name));
        } else if (schema.path("additionalProperties").isObject()) {
            look(
                    at(rules, "additionalProperties"),
                    schema.path("additionalProperties"),
                    place.key(name),
                    value,
                    old.path(name));
        }
    }

    /** Those of a list of type {@code map}; items of others are nobody's successors. */
    private static Optional<List<String>> keys(JsonNode schema) {
        return schema.path("x-kubernetes-list-type").asText().equals("map")
                ? Optional.of(schema.path("x-kubernetes-list-map-keys")
                        .valueStream()
                        .map(JsonNode::asText)
                        .toList())
                : Optional.empty();
    }

    private static List<JsonNode> key(JsonNode item, List<String> names) {
        return names.stream().map(item::path).toList();
    }

    private void evaluate(
            TransitionConstraint rule, JsonNode schema, FieldPath place, JsonNode self, Optional<JsonNode> old) {
        if (old.isEmpty() && !rule.isOldOptional()) {
            return;
        }
        var verdict = version.hasStatus()
                        && place.equals(FieldPath.ROOT)
                        && STATUS.matcher(rule.text()).find()
                ? new Verdict.Unknown("it depends on the status, which no manifest tells")
                : evaluator.evaluate(rule.text(), rule.isOldOptional(), schema, self, old);
        switch (verdict) {
            case Verdict.Evaluated(var allows) -> {
                if (!allows) {
                    outcomes.add(new RuleOutcome(rule.field(place), rule.said(), Optional.empty()));
                }
            }
            case Verdict.Unknown(var reason) -> {
                if (old.isEmpty() || rule.mayCareAbout(self, old.get())) {
                    outcomes.add(new RuleOutcome(rule.field(place), rule.said(), Optional.of(reason)));
                }
            }
        }
    }
}
