package dev.gitopsinterlock.effect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReviewedObjectTest {

    @ParameterizedTest
    @CsvSource({"/status/terminating, 1", "/status/active, 3"})
    void whatTheControlPlaneWritesMakesItNoOther(String where, String value) {
        var live = with(with(Jobs.running(), where, value), "/metadata/resourceVersion", "'99999'");

        assertThat(ReviewedObject.isStill(Jobs.running(), live)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "/metadata/resourceVersion   | '99999'",
                "/metadata/uid               | 'another'",
                "/metadata/labels            | {'a': 'b'}",
                "/metadata/finalizers        | ['example.com/archive']",
                "/metadata/deletionTimestamp | '2026-01-01T00:00:00Z'",
                "/metadata/annotations       | {'gitops-interlock.dev/on-immutable-change': 'Reject'}",
                "/spec/suspend               | true",
                "/spec/parallelism           | 7"
            })
    void whatAnybodyElseWritesMakesItAnother(String where, String value) {
        assertThat(ReviewedObject.isStill(Jobs.running(), with(Jobs.running(), where, value)))
                .isFalse();
    }

    /** There the status tells which edits Kubernetes accepts. */
    @Test
    void theStatusOfASuspendedJobCounts() {
        assertThat(ReviewedObject.isStill(Jobs.stopped(), with(Jobs.stopped(), "/status/active", "1")))
                .isFalse();
        assertThat(ReviewedObject.isStill(Jobs.stopped(), Jobs.stopped())).isTrue();
    }

    @Test
    void aFinishedJobIsFinishedStill() {
        assertThat(ReviewedObject.isStill(Jobs.finished(), with(Jobs.finished(), "/status/conditions", "[]")))
                .isFalse();
        assertThat(ReviewedObject.isStill(with(Jobs.finished(), "/status/conditions", "[]"), Jobs.finished()))
                .isTrue();
    }

    private static JsonNode with(JsonNode job, String where, String value) {
        return Jobs.with(job, where, Trees.json(value));
    }
}
