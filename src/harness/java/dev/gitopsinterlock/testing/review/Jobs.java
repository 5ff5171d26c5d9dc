package dev.gitopsinterlock.testing.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Live Jobs as the API server encodes them; each call gives a tree of its own. */
public final class Jobs {

    private Jobs() {}

    public static ObjectNode finished() {
        return live("finished");
    }

    public static ObjectNode running() {
        return live("running");
    }

    /** Created suspended. */
    public static ObjectNode neverStarted() {
        return live("neverStarted");
    }

    /** Suspended after it ran, without Pods. */
    public static ObjectNode stopped() {
        return live("stopped");
    }

    public static ObjectNode indexed() {
        return live("indexed");
    }

    /** The Job of {@code reviews/bases/live/<name>.yaml}. */
    public static ObjectNode live(String name) {
        var file = Trees.resource("reviews/bases/live/" + name + ".yaml");
        if (!file.has("base")) {
            return (ObjectNode) file;
        }
        var job = live(file.path("base").asText());
        Trees.change(job, file.path("changes"));
        return job;
    }

    /** A copy with one thing changed; null takes it away. */
    public static ObjectNode with(JsonNode job, String pointer, JsonNode value) {
        ObjectNode copy = job.deepCopy();
        Trees.set(copy, pointer, value);
        return copy;
    }

    public static ObjectNode with(JsonNode job, String pointer, String value) {
        return with(job, pointer, Trees.JSON.getNodeFactory().textNode(value));
    }

    /** What a person's manifest of this Job says: nothing that the API server generated. */
    public static ObjectNode manifest(JsonNode job) {
        ObjectNode copy = job.deepCopy();
        copy.remove("status");
        copy.withObject("/metadata").remove(List.of("uid", "resourceVersion", "generation", "creationTimestamp"));
        copy.withObject("/spec").remove("selector");
        copy.withObject("/spec/template/metadata/labels")
                .remove(List.of(
                        "batch.kubernetes.io/controller-uid",
                        "batch.kubernetes.io/job-name",
                        "controller-uid",
                        "job-name"));
        return copy;
    }

    /** What each manager owns, by its name, operation and subresource. */
    public static Map<String, JsonNode> owners(JsonNode job) {
        var owners = new TreeMap<String, JsonNode>();
        for (var entry : job.path("metadata").path("managedFields")) {
            owners.put(
                    "%s %s %s"
                            .formatted(
                                    entry.path("manager").asText(),
                                    entry.path("operation").asText(),
                                    entry.path("subresource").asText()),
                    entry.path("fieldsV1"));
        }
        return owners;
    }

    /** Everything that a new Job of the same manifest has too. */
    public static JsonNode content(JsonNode job) {
        var copy = manifest(job);
        copy.withObject("/metadata").remove("managedFields");
        copy.withObject("/metadata/annotations").remove("gitops-interlock.dev/replaced");
        ((ObjectNode) copy.path("metadata").path("labels"))
                .remove(List.of("controller-uid", "batch.kubernetes.io/controller-uid"));
        return copy;
    }
}
