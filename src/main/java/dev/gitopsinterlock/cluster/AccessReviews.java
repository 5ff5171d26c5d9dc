package dev.gitopsinterlock.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.Effect.Order;

/** The question whether the one who sent an edit could do by himself what we are about to do for him. */
final class AccessReviews {

    private AccessReviews() {}

    static JsonNode of(Order order, String verb) {
        var review = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "authorization.k8s.io/v1")
                .put("kind", "SubjectAccessReview");
        var requester = order.requester();
        var spec = review.putObject("spec").put("user", requester.username()).put("uid", requester.uid());
        var groups = spec.putArray("groups");
        requester.groups().forEach(groups::add);
        var extra = spec.putObject("extra");
        requester.extra().forEach((key, values) -> values.forEach(extra.withArrayProperty(key)::add));
        var attributes = spec.putObject("resourceAttributes")
                .put("group", "batch")
                .put("version", "v1")
                .put("resource", "jobs")
                .put("namespace", order.job().namespace())
                .put("verb", verb);
        // a right to create cannot be limited to a name
        if (!verb.equals("create")) {
            attributes.put("name", order.job().name());
        }
        return review;
    }
}
