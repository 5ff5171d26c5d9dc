package dev.gitopsinterlock.cluster.effect;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import java.io.IOException;
import java.time.Duration;

/** Questions about who may do what. Block. */
final class AccessReviews {

    private static final String API = "/apis/authorization.k8s.io/v1/";

    private AccessReviews() {}

    /** May the requester do without us what is about to be done for them? */
    static ApiAnswer ofRequester(KubernetesApi api, ObjectOperation operation, String verb, Duration patience)
            throws IOException {
        var review = review("SubjectAccessReview");
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
        return api.create(API + "subjectaccessreviews", review, patience);
    }

    static ApiAnswer ofOwnAccount(
            KubernetesApi api, ResourceType type, String namespace, String verb, Duration patience) throws IOException {
        var review = review("SelfSubjectAccessReview");
        attributes(review.putObject("spec"), type, namespace, verb);
        return api.create(API + "selfsubjectaccessreviews", review, patience);
    }

    private static ObjectNode review(String kind) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "authorization.k8s.io/v1")
                .put("kind", kind);
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
