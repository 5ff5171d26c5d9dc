package dev.gitopsinterlock.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.config.PackagedPages;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanaryEditTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            422 | spec.template: Do this. (field is immutable) JobEdit                           | OK      | got the words of JobEdit, without a link: set guidance.pages to where
            422 | x: Do this. (field is immutable) JobEdit: https://wiki.example/JobEdit         | OK      | got the words of JobEdit
            422 | x: Do this. (field is immutable) SomebodyElse                                  | PROBLEM | own words
            422 | spec.template: Invalid value: {}: field is immutable                           | PROBLEM | own words
            422 | spec.backoffLimit: must be greater than 0                                      | UNKNOWN | must be greater than 0
            500 | failed calling webhook "jobs": Post "https://a.b.svc/mutate/jobs/s3cr3t?x=1"   | PROBLEM | /mutate/jobs/...
            200 | {}                                                                             | PROBLEM | was accepted
            500 | an unexpected thing                                                            | UNKNOWN | an unexpected thing
            """)
    void theAnswerTellsWhoGaveIt(int status, String answer, CheckResult verdict, String words) {
        var diagnosis = CanaryEdit.judge("shop/one", status, answer, Set.copyOf(PackagedPages.codes()));

        assertThat(diagnosis.verdict()).isEqualTo(verdict);
        assertThat(diagnosis.words()).contains(words).doesNotContain("s3cr3t");
    }

    @Test
    void changesOnlyWhatKubernetesRefuses() {
        var job = CanaryEdit.newJob();
        ((ObjectNode) job.path("metadata")).put("name", "one").put("resourceVersion", "7");

        var edit = CanaryEdit.of(job);

        assertThat(edit.at("/metadata/resourceVersion").isMissingNode()).isTrue();
        assertThat(edit.at("/metadata/annotations/gitops-interlock.dev~1on-immutable-change")
                        .asText())
                .isEqualTo("Reject");
        assertThat(edit.at("/spec/suspend").asBoolean()).isTrue();
        assertThat(edit.at("/spec/template/spec/containers/0/image"))
                .isNotEqualTo(job.at("/spec/template/spec/containers/0/image"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            secrets is forbidden: User "x" cannot list resource "secrets" in API group "" in the namespace "shop" | you may not list secrets in shop
            User "x" cannot update resource "jobs" in API group "batch" in the namespace "shop"                   | you may not update jobs.batch in shop
            User "x" cannot list resource "jobs" in API group "batch" at the cluster scope                        | you may not list jobs.batch in the cluster
            forbidden: User "x" cannot get path "/metrics"                                                        | you may not get /metrics
            a policy does not like it                                                                             |
            """)
    void aRefusalNamesTheRight(String words, String right) {
        assertThat(MissingRight.in(words).orElse(null)).isEqualTo(right);
    }
}
