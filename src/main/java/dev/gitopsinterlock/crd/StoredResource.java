package dev.gitopsinterlock.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;

/** What the API server makes of a manifest by its schema before it validates: no unknown fields, and all defaults. */
final class StoredResource {

    private static final Set<String> META = Set.of("apiVersion", "kind", "metadata");

    private StoredResource() {}

    /** All of an object, of whose metadata rules see the names alone, and of which a status is not the manifest's to set. */
    static JsonNode of(JsonNode object, Definition.Version version) {
        if (!(of(object, version.schema(), true) instanceof ObjectNode root)) {
            return object;
        }
        if (version.hasStatus()) {
            root.remove("status");
        }
        var metadata = root.putObject("metadata");
        for (var name : List.of("name", "generateName")) {
            if (object.path("metadata").has(name)) {
                metadata.set(name, object.path("metadata").get(name));
            }
        }
        return root;
    }

    /** What an apply makes of a live object: what neither manifest has stays, and lists are those of the new one. */
    static ObjectNode applied(JsonNode target, JsonNode live, JsonNode base) {
        ObjectNode applied = target.deepCopy();
        live.properties().forEach(field -> {
            var name = field.getKey();
            if (!target.has(name) && !base.has(name)) {
                applied.set(name, field.getValue());
            } else if (target.path(name).isObject() && field.getValue().isObject()) {
                applied.set(name, applied(target.get(name), field.getValue(), base.path(name)));
            }
        });
        return applied;
    }

    private static JsonNode of(JsonNode value, JsonNode schema, boolean isResource) {
        if (value instanceof ArrayNode list) {
            var kept = JsonNodeFactory.instance.arrayNode();
            var items = schema.path("items");
            list.forEach(item -> kept.add(below(item, items)));
            return kept;
        }
        if (!value.isObject()) {
            return value;
        }
        var kept = JsonNodeFactory.instance.objectNode();
        var properties = schema.path("properties");
        var others = schema.path("additionalProperties");
        value.properties().forEach(field -> {
            var name = field.getKey();
            if (isResource && META.contains(name)) {
                kept.set(name, field.getValue());
            } else if (properties.has(name)) {
                var stored = below(field.getValue(), properties.get(name));
                if (!stored.isNull() || properties.get(name).path("nullable").asBoolean()) {
                    kept.set(name, stored);
                }
            } else if (others.isObject()) {
                var stored = below(field.getValue(), others);
                if (!stored.isNull() || others.path("nullable").asBoolean()) {
                    kept.set(name, stored);
                }
            } else if (others.asBoolean() || isPreserved(schema)) {
                kept.set(name, field.getValue());
            }
        });
        properties.properties().forEach(property -> {
            if (!kept.has(property.getKey()) && property.getValue().has("default")) {
                kept.set(property.getKey(), below(MissingNode.getInstance(), property.getValue()));
            }
        });
        return kept;
    }

    /** A value or, where there is none, the default. */
    private static JsonNode below(JsonNode value, JsonNode schema) {
        var isNone = value.isMissingNode()
                || (value.isNull() && !schema.path("nullable").asBoolean());
        return of(
                isNone && schema.has("default") ? schema.get("default") : value,
                schema,
                schema.path("x-kubernetes-embedded-resource").asBoolean());
    }

    private static boolean isPreserved(JsonNode schema) {
        return schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
    }
}
