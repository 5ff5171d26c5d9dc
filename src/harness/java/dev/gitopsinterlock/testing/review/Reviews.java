package dev.gitopsinterlock.testing.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Locale;

/** AdmissionReviews as the API server sends them. */
public final class Reviews {

    private static final String EARLIER = "2026-11-20T08:00:00Z";
    private static final String NOW = "2026-11-21T09:00:00Z";

    private Reviews() {}

    /** A person's client-side apply of an edit to a Job that nobody owns. */
    public static ObjectNode update(JsonNode before, JsonNode after) {
        return update(before, after, "kubectlApply", "nobody");
    }

    /**
     * An edit of a Job that somebody owns.
     *
     * @param requester of {@code reviews/bases/requesters.yaml}
     * @param owner of {@code reviews/bases/owners.yaml}; its marks are put on both Jobs
     */
    public static ObjectNode update(JsonNode before, JsonNode after, String requester, String owner) {
        var who = named("requesters", requester);
        var oldObject = marked(before, named("owners", owner));
        var object = marked(after, named("owners", owner));
        written(object, who.path("manager"));
        var review = review("UPDATE", who, object);
        review.withObject("/request").set("oldObject", oldObject);
        return review;
    }

    public static ObjectNode create(JsonNode job, String requester, String owner) {
        var who = named("requesters", requester);
        ObjectNode object = job.deepCopy();
        mark(object, named("owners", owner));
        object.withObject("/metadata").remove("managedFields");
        written(object, who.path("manager"));
        var review = review("CREATE", who, object);
        review.withObject("/request").putNull("oldObject");
        return review;
    }

    public static ObjectNode delete(JsonNode job, String requester, String owner) {
        var who = named("requesters", requester);
        var review = review("DELETE", who, marked(job, named("owners", owner)));
        var request = review.withObject("/request");
        request.set("oldObject", request.get("object"));
        request.putNull("object");
        return review;
    }

    /** The request's part of a review, for readers of that. */
    public static ObjectNode request(JsonNode review) {
        return (ObjectNode) review.path("request");
    }

    private static ObjectNode review(String operation, JsonNode who, ObjectNode object) {
        var review = (ObjectNode) Trees.resource("reviews/bases/review.yaml");
        var request = review.withObject("/request");
        request.put("operation", operation);
        request.set("name", object.path("metadata").path("name"));
        request.set("namespace", object.path("metadata").path("namespace"));
        var user = request.putObject("userInfo");
        user.set("username", who.path("username"));
        user.set("groups", who.path("groups"));
        if (who.has("extra")) {
            user.set("extra", who.path("extra"));
        }
        var options = request.putObject("options");
        options.put("kind", operation.charAt(0) + operation.substring(1).toLowerCase(Locale.ROOT) + "Options");
        options.put("apiVersion", "meta.k8s.io/v1");
        if (who.has("fieldManager")) {
            options.set("fieldManager", who.path("fieldManager"));
        }
        request.set("object", object);
        return review;
    }

    private static ObjectNode marked(JsonNode job, JsonNode owner) {
        ObjectNode marked = job.deepCopy();
        mark(marked, owner);
        var entries = marked.withObject("/metadata").putArray("managedFields");
        entries.add(entry(owner.path("manager"), EARLIER, "f:spec"));
        entries.add(entry(Trees.json("{'name': 'kube-controller-manager', 'operation': 'Update'}"), EARLIER, "f:status")
                .put("subresource", "status"));
        return marked;
    }

    private static void mark(ObjectNode job, JsonNode owner) {
        for (var kind : List.of("labels", "annotations")) {
            owner.path(kind)
                    .properties()
                    .forEach(mark -> job.withObject("/metadata/" + kind).set(mark.getKey(), mark.getValue()));
        }
    }

    /** The writer's entry is new, or has a new time. */
    private static void written(ObjectNode job, JsonNode manager) {
        var entries = job.withObject("/metadata").withArrayProperty("managedFields");
        for (int i = 0; i < entries.size(); i++) {
            if (entries.path(i).path("manager").equals(manager.path("name"))
                    && entries.path(i).path("operation").equals(manager.path("operation"))) {
                entries.remove(i);
            }
        }
        entries.add(entry(manager, NOW, "f:spec"));
    }

    private static ObjectNode entry(JsonNode manager, String time, String part) {
        var entry = Trees.JSON.createObjectNode();
        entry.set("manager", manager.path("name"));
        entry.set("operation", manager.path("operation"));
        entry.put("apiVersion", "batch/v1").put("time", time).put("fieldsType", "FieldsV1");
        entry.putObject("fieldsV1").putObject(part);
        return entry;
    }

    private static JsonNode named(String file, String name) {
        var found = Trees.resource("reviews/bases/" + file + ".yaml").path(name);
        if (found.isMissingNode()) {
            throw new IllegalArgumentException("nobody is called " + name + " in " + file + ".yaml");
        }
        return found;
    }
}
