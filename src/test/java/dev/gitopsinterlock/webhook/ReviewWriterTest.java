package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.edit.EditReason;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.policy.UnknownPolicyValue;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;
import dev.gitopsinterlock.testing.review.Refusals;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The answer as the API server and the clients behind it need it. */
class ReviewWriterTest {

    private static final RefusedEdit REFUSAL = Refusals.of(
            new GuidanceCode("KubectlLiveJobEdit"),
            Tool.KUBECTL,
            new ObjectName("shop", "db-migrate"),
            List.of("spec.completions", "spec.template.spec.restartPolicy"));
    private static final UnknownPolicyValue FINDING =
            new UnknownPolicyValue(Level.JOB, "gitops-interlock.dev/on-immutable-change", "x1", List.of("Reject"));

    private final ReviewWriter writer = new ReviewWriter(Reviewed.PAGES);

    @Test
    void allowedAnswerSaysNothingElse() {
        var answer = Trees.json(writer.write("u-1", Decision.allow(EditReason.SKIPPED)));

        assertThat(answer).isEqualTo(Trees.json("""
                                {'apiVersion': 'admission.k8s.io/v1', 'kind': 'AdmissionReview',
                                 'response': {'uid': 'u-1', 'allowed': true}}"""));
    }

    @Test
    void denialHasMessageAndCausesAndNoPatch() {
        var answer = Trees.json(writer.write("u-1", Decision.deny(REFUSAL)));

        assertThat(Trees.yaml(answer.path("response"))).isEqualTo("""
                        uid: u-1
                        allowed: false
                        status:
                          status: Failure
                          code: 422
                          reason: Invalid
                          message: "%s"
                          details:
                            group: batch
                            kind: Job
                            name: db-migrate
                            causes:
                            - reason: FieldValueInvalid
                              field: spec.completions
                              message: "%s"
                            - reason: FieldValueInvalid
                              field: spec.template.spec.restartPolicy
                              message: field is immutable
                        auditAnnotations:
                          guidance: KubectlLiveJobEdit
                          requester: kubectl
                        """.formatted(
                        REFUSAL.status(Reviewed.PAGES).message(),
                        REFUSAL.status(Reviewed.PAGES)
                                .details()
                                .orElseThrow()
                                .causes()
                                .getFirst()
                                .message()));
    }

    @Test
    void warningsStandBesideEitherVerdict() {
        for (var decision : List.of(Decision.deny(REFUSAL), Decision.allow(EditReason.POLICY))) {
            var answer = Trees.json(writer.write("u-1", decision.withWarnings(List.of(FINDING))));

            assertThat(answer.path("response").path("warnings"))
                    .isEqualTo(Trees.JSON.createArrayNode().add(FINDING.text(Reviewed.PAGES)));
        }
    }

    @Test
    void oddUidIsGivenBackAsItWas() {
        var answer = Trees.json(writer.write(" \"\n\u0000é ", Decision.allow(EditReason.POLICY)));

        assertThat(answer.path("response").path("uid").asText()).isEqualTo(" \"\n\u0000é ");
    }
}
