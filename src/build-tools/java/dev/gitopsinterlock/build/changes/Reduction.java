package dev.gitopsinterlock.build.changes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.testing.change.RealChange;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reduces a change to its facts: which fields of which objects differ, and the marks that tools read. Nobody's texts stay:
 * a stand-in takes their place, the same for the same text, and an image keeps whether its tag is {@code latest}, by
 * which the API server chooses a default. What does not differ goes, unless an object is not valid without it. Of
 * other kinds than Job only objects that differ stay. The same change gives the same facts.
 */
public final class Reduction {

    private static final Set<String> MARKS = Set.of(
            "helm.sh",
            "argocd.argoproj.io",
            "kapp.k14s.io",
            "werf.io",
            "kustomize.toolkit.fluxcd.io",
            "helm.toolkit.fluxcd.io",
            "kueue.x-k8s.io",
            "gitops-interlock.dev");
    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    /** What a Job or a Pod template must have, or what decides how its changes are seen. */
    private static final Set<String> KEPT = Set.of(
            "name",
            "image",
            "restartPolicy",
            "containers",
            "template",
            "spec",
            "suspend",
            "manualSelector",
            "selector");

    /** Whose parts depend on each other. */
    private static final Set<String> WHOLE = Set.of(
            "selector",
            "volumeClaimTemplates",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle",
            "strategy",
            "updateStrategy",
            "securityContext",
            "affinity",
            "valueFrom");

    private static final Set<String> WITH_PODS = Set.of("StatefulSet", "Deployment", "DaemonSet", "ReplicaSet");
    private static final Set<String> WITH_DATA = Set.of("ConfigMap", "Secret");
    private static final Set<String> CONTENT = Set.of("data", "binaryData", "stringData");
    private static final List<JsonNode> NOTHING = List.of(MissingNode.getInstance());

    /** Words of the API, and names of things in the Job, to which other parts refer. */
    private static final Set<String> LITERAL = Set.of(
            "name",
            "generateName",
            "apiVersion",
            "kind",
            "restartPolicy",
            "imagePullPolicy",
            "protocol",
            "terminationMessagePolicy",
            "dnsPolicy",
            "operator",
            "effect",
            "type",
            "fieldPath",
            "completionMode",
            "podReplacementPolicy",
            "whenUnsatisfiable",
            "topologyKey",
            "resource",
            "divisor",
            "medium",
            "sizeLimit",
            "ip",
            "scheme",
            "add",
            "drop",
            "limits",
            "requests",
            "accessModes",
            "storage",
            "apiGroup",
            "podManagementPolicy",
            "reclaimPolicy",
            "volumeBindingMode",
            "volumeMode",
            "preemptionPolicy",
            "volumeLifecycleModes",
            "fsGroupPolicy",
            "fsGroupChangePolicy",
            "maxSurge",
            "maxUnavailable",
            "whenDeleted",
            "whenScaled",
            "mountPropagation");

    private final Map<String, String> standIns = new HashMap<>();

    private Reduction() {}

    public static RealChange of(RealChange full) {
        var reduction = new Reduction();
        return new RealChange(
                full.name(),
                full.facts(),
                reduction.objects(full.before(), full.after(), full.upgraded()),
                reduction.objects(full.after(), full.before(), full.upgraded()),
                reduction.objects(full.upgraded(), full.before(), full.after()));
    }

    private List<ObjectNode> objects(List<ObjectNode> objects, List<ObjectNode> others, List<ObjectNode> more) {
        return objects.stream()
                .filter(object -> isJob(object) || isDifferent(body(object), bodies(same(object, others, more))))
                .map(object -> object(object, same(object, others, more)))
                .toList();
    }

    private static List<JsonNode> same(ObjectNode object, List<ObjectNode> others, List<ObjectNode> more) {
        return Stream.concat(others.stream(), more.stream())
                .filter(other -> object.at("/metadata").has("name")
                        && RealChange.id(other).equals(RealChange.id(object)))
                .<JsonNode>map(other -> other)
                .toList();
    }

    private static boolean isJob(JsonNode object) {
        return object.path("kind").asText().equals("Job");
    }

    private static List<JsonNode> bodies(List<JsonNode> objects) {
        return objects.stream().<JsonNode>map(Reduction::body).toList();
    }

    private static ObjectNode body(JsonNode object) {
        return object.<ObjectNode>deepCopy().without(List.of("apiVersion", "kind", "metadata", "status"));
    }

    private ObjectNode object(ObjectNode object, List<JsonNode> same) {
        var kind = object.path("kind").asText();
        var reduced = JsonNodeFactory.instance.objectNode();
        reduced.set("apiVersion", object.path("apiVersion"));
        reduced.set("kind", object.path("kind"));
        var metadata = reduced.putObject("metadata");
        for (var field : List.of("name", "generateName")) {
            if (object.path("metadata").has(field)) {
                metadata.set(field, object.path("metadata").path(field));
            }
        }
        for (var field : List.of("labels", "annotations")) {
            marks(object.path("metadata").path(field)).ifPresent(marks -> metadata.set(field, marks));
        }
        if (WITH_DATA.contains(kind)) {
            content(object, reduced);
        } else if (isJob(object) || WITH_PODS.contains(kind)) {
            reduced.set("spec", fields(object.path("spec"), of("spec", same)));
            // what selects Pods needs their labels, and these need nothing else
            if (!isJob(object)) {
                var labels = fields(object.at("/spec/template/metadata/labels"), NOTHING);
                reduced.withObject("/spec/template/metadata").set("labels", labels);
            }
        } else {
            reduced.setAll(fields(body(object), NOTHING));
        }
        return reduced;
    }

    /** Its keys, of which the type of a Secret may demand some, and a stand-in of each. */
    private void content(JsonNode object, ObjectNode reduced) {
        for (var field : List.of("type", "immutable")) {
            if (object.has(field)) {
                reduced.set(field, object.path(field));
            }
        }
        for (var field : CONTENT) {
            object.path(field).properties().forEach(entry -> {
                var isBinary = field.equals("binaryData")
                        || (field.equals("data") && object.path("kind").asText().equals("Secret"));
                var text = standIn(field, entry.getValue().asText()).textValue();
                reduced.withObject("/" + field)
                        .put(
                                entry.getKey(),
                                isBinary ? Base64.getEncoder().encodeToString(text.getBytes(UTF_8)) : text);
            });
        }
    }

    private static Optional<ObjectNode> marks(JsonNode all) {
        var marks = JsonNodeFactory.instance.objectNode();
        all.properties().stream()
                .filter(mark -> mark.getKey().equals(MANAGED_BY)
                        || MARKS.contains(mark.getKey().replaceFirst("/.*", "")))
                .forEach(mark -> marks.set(mark.getKey(), mark.getValue()));
        return marks.isEmpty() ? Optional.empty() : Optional.of(marks);
    }

    private JsonNode reduced(String field, JsonNode node, List<JsonNode> same) {
        if (node.isObject()) {
            return fields(node, same);
        }
        if (node.isArray()) {
            return list(field, node, same);
        }
        return node.isTextual() && !LITERAL.contains(field) ? standIn(field, node.textValue()) : node;
    }

    private ObjectNode fields(JsonNode object, List<JsonNode> same) {
        var reduced = JsonNodeFactory.instance.objectNode();
        for (var entry : object.properties()) {
            var field = entry.getKey();
            var value = entry.getValue();
            if (WHOLE.contains(field)
                    && (field.equals("selector")
                            || field.equals("volumeClaimTemplates")
                            || isDifferent(value, of(field, same)))) {
                reduced.set(field, reduced(field, value, NOTHING));
            } else if (field.equals("volumes") && value.isArray()) {
                reduced.set(field, volumes(value, of(field, same)));
            } else if (LITERAL.contains(field) && value.isContainerNode()) {
                if (isDifferent(value, of(field, same))) {
                    reduced.set(field, value);
                }
            } else if (KEPT.contains(field) || isDifferent(value, of(field, same))) {
                reduced.set(field, reduced(field, value, of(field, same)));
            } else if (value.isNumber() || value.isBoolean()) {
                reduced.set(field, value);
            }
        }
        return reduced;
    }

    private JsonNode list(String field, JsonNode list, List<JsonNode> same) {
        var reduced = JsonNodeFactory.instance.arrayNode();
        var byName = Stream.concat(Stream.of(list), same.stream()).allMatch(Reduction::hasNames)
                && same.stream().allMatch(other -> isInOneOrder(list, other));
        for (var item : list) {
            if (!byName) {
                reduced.add(reduced(field, item, NOTHING));
            } else if (isContainers(field) || isDifferent(item, named(item, same))) {
                reduced.add(fields(item, named(item, same)));
            }
        }
        return reduced;
    }

    /** All of them, for mounts may stay that name them. */
    private JsonNode volumes(JsonNode volumes, List<JsonNode> same) {
        var reduced = JsonNodeFactory.instance.arrayNode();
        for (var volume : volumes) {
            var others = named(volume, same);
            if (isDifferent(volume, others)) {
                reduced.add(reduced("volumes", volume, List.of()));
            } else {
                var stub = reduced.addObject();
                stub.set("name", volume.path("name"));
                stub.putObject("emptyDir");
            }
        }
        return reduced;
    }

    private static boolean isContainers(String field) {
        return field.equals("containers") || field.equals("initContainers");
    }

    private static boolean hasNames(JsonNode list) {
        var names = new HashSet<String>();
        return list.isMissingNode()
                || list.valueStream()
                        .allMatch(item -> item.path("name").isTextual()
                                && names.add(item.path("name").textValue()));
    }

    private static boolean isInOneOrder(JsonNode list, JsonNode other) {
        return common(list, other).equals(common(other, list));
    }

    private static List<String> common(JsonNode list, JsonNode other) {
        var names = new HashSet<>(other.findValuesAsText("name"));
        return list.valueStream()
                .map(item -> item.path("name").asText())
                .filter(names::contains)
                .toList();
    }

    private static List<JsonNode> named(JsonNode item, List<JsonNode> lists) {
        return lists.stream()
                .map(list -> list.valueStream()
                        .filter(other -> other.path("name").equals(item.path("name")))
                        .findFirst()
                        .orElse(MissingNode.getInstance()))
                .toList();
    }

    private static List<JsonNode> of(String field, List<JsonNode> objects) {
        return objects.stream().map(object -> object.path(field)).toList();
    }

    private static boolean isDifferent(JsonNode node, List<JsonNode> same) {
        return same.stream().anyMatch(other -> !other.equals(node));
    }

    private JsonNode standIn(String field, String text) {
        if (text.isEmpty()) {
            return TextNode.valueOf(text);
        }
        if (!field.equals("image")) {
            return TextNode.valueOf(standIns.computeIfAbsent(text, _ -> "text-" + (standIns.size() + 1)));
        }
        var name = standIns.computeIfAbsent(text, _ -> "text-" + (standIns.size() + 1));
        var last = text.substring(text.lastIndexOf('/') + 1);
        if (last.endsWith(":latest")) {
            return TextNode.valueOf("example/" + name + ":latest");
        }
        return TextNode.valueOf("example/" + name + (last.contains(":") || last.contains("@") ? ":1" : ""));
    }
}
