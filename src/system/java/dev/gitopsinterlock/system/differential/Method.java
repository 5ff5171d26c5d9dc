package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.system.differential.Schema.Field;
import io.fabric8.zjsonpatch.JsonDiff;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The ways in which a client can send an edit. */
enum Method {
    PUT("PUT", "application/json", "PUT"),
    MERGE_PATCH("PATCH", "application/merge-patch+json", "merge patch"),
    STRATEGIC_MERGE_PATCH("PATCH", "application/strategic-merge-patch+json", "strategic merge patch"),
    JSON_PATCH("PATCH", "application/json-patch+json", "JSON patch"),
    SERVER_SIDE_APPLY("PATCH", "application/apply-patch+yaml", "server-side apply");

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> GENERATED_LABELS =
            List.of("batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name", "controller-uid", "job-name");

    private final String verb;
    private final String contentType;
    private final String label;

    Method(String verb, String contentType, String label) {
        this.verb = verb;
        this.contentType = contentType;
        this.label = label;
    }

    String verb() {
        return verb;
    }

    String contentType() {
        return contentType;
    }

    String label() {
        return label;
    }

    /**
     * The request's body.
     *
     * @param job the live Job
     * @param spec as it is to be
     */
    JsonNode body(ObjectNode job, ObjectNode spec, Field schema, Random random) {
        return switch (this) {
            case PUT -> put(job, spec, random);
            case MERGE_PATCH -> specOnly(mergePatch(job.path("spec"), spec, Optional.empty(), random));
            case STRATEGIC_MERGE_PATCH -> specOnly(mergePatch(job.path("spec"), spec, Optional.of(schema), random));
            case JSON_PATCH -> JsonDiff.asJson(specOnly(job.path("spec")), specOnly(spec));
            case SERVER_SIDE_APPLY -> manifest(job, random.nextBoolean() ? withoutGenerated(spec) : spec);
        };
    }

    /** As {@code kubectl edit} sends it, a client with a copy, or {@code kubectl replace} with a manifest. */
    private static JsonNode put(ObjectNode job, ObjectNode spec, Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> manifest(job, withoutGenerated(spec));
            case 1, 2 -> {
                var whole = job.deepCopy();
                ((ObjectNode) whole.path("metadata")).remove("resourceVersion");
                yield whole.set("spec", spec);
            }
            default -> job.deepCopy().set("spec", spec);
        };
    }

    static ObjectNode manifest(ObjectNode job, ObjectNode spec) {
        var manifest = JSON.objectNode().put("apiVersion", "batch/v1").put("kind", "Job");
        manifest.putObject("metadata").put("name", job.at("/metadata/name").asText());
        return manifest.set("spec", spec);
    }

    /** What the API server puts in is in no manifest. */
    private static ObjectNode withoutGenerated(ObjectNode spec) {
        var own = spec.deepCopy();
        if (!own.path("manualSelector").asBoolean()) {
            own.remove("selector");
            if (own.at("/template/metadata/labels") instanceof ObjectNode labels) {
                labels.remove(GENERATED_LABELS);
            }
        }
        return own;
    }

    private static ObjectNode specOnly(JsonNode spec) {
        return JSON.objectNode().set("spec", spec);
    }

    /** With a schema: lists that merge by a key are left to merge, or replaced as a whole. */
    private static ObjectNode mergePatch(JsonNode before, JsonNode after, Optional<Field> schema, Random random) {
        var patch = JSON.objectNode();
        before.fieldNames().forEachRemaining(name -> {
            if (!after.has(name)) {
                patch.putNull(name);
            }
        });
        after.properties().forEach(entry -> {
            var name = entry.getKey();
            var old = before.path(name);
            var value = entry.getValue();
            if (old.equals(value)) {
                return;
            }
            var field = schema.flatMap(struct -> struct.children().stream()
                    .filter(child -> child.step().equals(name))
                    .findFirst());
            if (old.isObject() && value.isObject()) {
                patch.set(name, mergePatch(old, value, field, random));
            } else if (value instanceof ArrayNode list
                    && field.filter(Method::mergesByKey).isPresent()
                    && random.nextBoolean()) {
                var replacing = list.deepCopy();
                replacing.addObject().put("$patch", "replace");
                patch.set(name, replacing);
            } else {
                patch.set(name, value);
            }
        });
        return patch;
    }

    private static boolean mergesByKey(Field field) {
        return field.use().has("x-kubernetes-patch-merge-key");
    }
}
