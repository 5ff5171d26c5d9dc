package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Reason;
import dev.gitopsinterlock.config.GuidancePages;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.GuidanceText;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.guidance.ObjectName;
import dev.gitopsinterlock.guidance.UnknownPolicyValue;
import dev.gitopsinterlock.guidance.UnknownPolicyValue.Level;
import dev.gitopsinterlock.testing.Trees;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The answer as the API server and the clients behind it need it. */
class ReviewWriterTest {

    private static final GuidanceText TEXT = GuidancePages.text("https://gitops-interlock.dev/guidance/");
    private static final JobEditGuidance REFUSAL = new JobEditGuidance(
            new GuidanceCode("KubectlLiveJobEdit"),
            Tool.KUBECTL,
            new ObjectName("shop", "db-migrate"),
            List.of("spec.completions", "spec.template.spec.restartPolicy"));
    private static final UnknownPolicyValue FINDING =
            new UnknownPolicyValue(Level.JOB, "gitops-interlock.dev/on-immutable-change", "x1", List.of("Reject"));

    private final ReviewWriter writer = new ReviewWriter(TEXT);

    @Test
    void allowedAnswerSaysNothingElse() {
        var answer = Trees.json(writer.write("u-1", Decision.allow(Reason.NEVER_TOUCHED)));

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
                        TEXT.message(REFUSAL), TEXT.causes(REFUSAL).getFirst().message()));
    }

    @Test
    void warningsStandBesideEitherVerdict() {
        for (var decision : List.of(Decision.deny(REFUSAL), Decision.allow(Reason.POLICY))) {
            var answer = Trees.json(writer.write("u-1", decision.withWarnings(List.of(FINDING))));

            assertThat(answer.path("response").path("warnings"))
                    .isEqualTo(Trees.JSON.createArrayNode().add(TEXT.warning(FINDING)));
        }
    }

    @Test
    void oddUidIsGivenBackAsItWas() {
        var answer = Trees.json(writer.write(" \"\n\u0000é ", Decision.allow(Reason.POLICY)));

        assertThat(answer.path("response").path("uid").asText()).isEqualTo(" \"\n\u0000é ");
    }
}
