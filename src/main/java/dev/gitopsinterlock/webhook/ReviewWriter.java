package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.CarryOut;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.admission.Verdict.Reason;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.GuidanceText;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.guidance.RolloutHeld;
import dev.gitopsinterlock.guidance.RolloutText;
import java.util.Set;

/**
 * Writes the answer to a review. The response rules live here and nowhere else: the uid is the request's; a denial is
 * 422 with reason Invalid and both a message and causes, because kubectl drops the message and everybody else the
 * causes, and because Argo CD's, Flux's and kubectl's own ways to delete and create depend on that code; a rollout
 * that is held is 403 Forbidden, because the machine-config controller repeats a 409 without a pause and sleeps at 429.
 */
final class ReviewWriter {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final ObjectWriter WRITER = JsonMapper.builder().build().writer();
    private static final int UNPROCESSABLE = 422;
    private static final int FORBIDDEN = 403;

    /** Each by a key of its own: the API server asks again, and refuses a key that comes back with another value. */
    private static final Set<Reason> AUDITED =
            Set.of(Reason.REPLACED, Reason.RUN_STARTED, Reason.ALREADY_RUN, Reason.REPAIRED, Reason.DEFAULTED);

    private final GuidanceText text;
    private final RolloutText rollouts;

    ReviewWriter(GuidanceText text) {
        this.text = text;
        this.rollouts = new RolloutText(text.pages());
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
                if (AUDITED.contains(reason)) {
                    response.putObject("auditAnnotations").put(reason.token(), "true");
                }
            }
            case CarryOut(var effect) -> throw new IllegalArgumentException("not concluded: " + effect.getClass());
            case Deny(JobEditGuidance guidance) -> {
                response.put("allowed", false);
                response.set("status", status(guidance));
                response.putObject("auditAnnotations")
                        .put("guidance", guidance.code().token())
                        .put("requester", guidance.requester().label());
            }
            case Deny(RolloutHeld held) -> {
                response.put("allowed", false);
                response.set("status", status(held));
                response.putObject("auditAnnotations").put("guidance", GuidanceCode.ROLLOUT_HELD.token());
            }
        }
        if (!decision.warnings().isEmpty()) {
            var warnings = response.putArray("warnings");
            decision.warnings().forEach(warning -> warnings.add(text.warning(warning)));
        }
        return bytes(response);
    }

    private ObjectNode status(JobEditGuidance guidance) {
        var status = JSON.objectNode()
                .put("status", "Failure")
                .put("code", UNPROCESSABLE)
                .put("reason", "Invalid")
                .put("message", text.message(guidance));
        var details = status.putObject("details")
                .put("group", "batch")
                .put("kind", "Job")
                .put("name", guidance.job().name());
        var causes = details.putArray("causes");
        for (var cause : text.causes(guidance)) {
            causes.addObject()
                    .put("reason", "FieldValueInvalid")
                    .put("field", cause.field())
                    .put("message", cause.message());
        }
        return status;
    }

    private ObjectNode status(RolloutHeld held) {
        return JSON.objectNode()
                .put("status", "Failure")
                .put("code", FORBIDDEN)
                .put("reason", "Forbidden")
                .put("message", rollouts.message(held));
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
