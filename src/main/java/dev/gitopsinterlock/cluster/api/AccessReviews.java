package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.carryout.Effect.ObjectOperation;

/** Questions about who may do what. */
public final class AccessReviews {

    private AccessReviews() {}

    /** May the requester do without us what is about to be done for them? */
    public static JsonNode of(ObjectOperation operation, String verb) {
        var review = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "authorization.k8s.io/v1")
                .put("kind", "SubjectAccessReview");
        var requester = operation.requester();
        var spec = review.putObject("spec").put("user", requester.username()).put("uid", requester.uid());
        var groups = spec.putArray("groups");
        requester.groups().forEach(groups::add);
        var extra = spec.putObject("extra");
        requester.extra().forEach((key, values) -> values.forEach(extra.withArrayProperty(key)::add));
        var attributes = attributes(spec, operation.type(), operation.object().namespace(), verb);
        // a right to create cannot be limited to a name
        if (!verb.equals("create")) {
            attributes.put("name", operation.object().name());
        }
        return review;
    }

    /** May our own account do this? */
    public static JsonNode own(ResourceType type, String namespace, String verb) {
        var review = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "authorization.k8s.io/v1")
                .put("kind", "SelfSubjectAccessReview");
        attributes(review.putObject("spec"), type, namespace, verb);
        return review;
    }

    private static ObjectNode attributes(ObjectNode spec, ResourceType type, String namespace, String verb) {
        return spec.putObject("resourceAttributes")
                .put("group", type.group())
                .put("version", type.version())
                .put("resource", type.plural())
                .put("namespace", namespace)
                .put("verb", verb);
    }
}
