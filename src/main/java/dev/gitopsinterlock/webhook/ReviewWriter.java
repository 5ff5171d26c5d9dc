package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;

/**
 * Writes the answer to a review: the only place that knows the form of one. The uid is the request's; what a denial's
 * status says, its feature knows.
 */
final class ReviewWriter {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final ObjectWriter WRITER = JsonMapper.builder().build().writer();

    private final GuidancePages pages;

    ReviewWriter(GuidancePages pages) {
        this.pages = pages;
    }

    byte[] write(String uid, Decision decision) {
        var response = JSON.objectNode().put("uid", uid);
        switch (decision.verdict()) {
            case Allow(var reason, var patch) -> {
                response.put("allowed", true);
                if (!patch.isEmpty()) {
                    response.put("patchType", "JSONPatch")
                            .put("patch", patch.tree().toString().getBytes(UTF_8));
                }
                if (reason.isAudited()) {
                    // by a key of its own: the API server asks again, and refuses a key that comes back with another
                    // value
                    response.putObject("auditAnnotations").put(reason.token(), "true");
                }
            }
            case Deny(var denial) -> {
                response.put("allowed", false);
                response.set("status", tree(denial.status(pages)));
                var annotations = response.putObject("auditAnnotations");
                denial.auditAnnotations().forEach(annotations::put);
            }
        }
        if (!decision.warnings().isEmpty()) {
            var warnings = response.putArray("warnings");
            decision.warnings().forEach(warning -> warnings.add(warning.text(pages)));
        }
        return bytes(response);
    }

    private static ObjectNode tree(Denial.Status status) {
        var tree = JSON.objectNode()
                .put("status", "Failure")
                .put("code", status.code())
                .put("reason", status.reason())
                .put("message", status.message());
        status.details().ifPresent(known -> {
            var details = tree.putObject("details")
                    .put("group", known.group())
                    .put("kind", known.kind())
                    .put("name", known.name());
            var causes = details.putArray("causes");
            for (var cause : known.causes()) {
                causes.addObject()
                        .put("reason", "FieldValueInvalid")
                        .put("field", cause.field())
                        .put("message", cause.message());
            }
        });
        return tree;
    }

    private static byte[] bytes(ObjectNode response) {
        var review = JSON.objectNode().put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        review.set("response", response);
        try {
            return WRITER.writeValueAsBytes(review);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values cannot be written", e);
        }
    }
}
