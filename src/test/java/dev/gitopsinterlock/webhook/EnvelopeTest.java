package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EnvelopeTest {

    private static final Set<String> KINDS = Set.of("batch/v1/Job");
    private static final String MARK = "5f0a1c1e-8a0b-4c49-9f5e-0d5f0b7f6a11/48213/hash/" + "0123abcd".repeat(300);

    @Test
    void aNewJobThatTakesAnotherOnesPlaceIsOurDoing() {
        assertThat(selfInitiated(create(MARK))).isPresent();
        assertThat(selfInitiated(create(""))).isEmpty();
    }

    /** Its mark names the Job that it was put on. */
    @Test
    void aCopyOfSuchAJobIsNot() {
        assertThat(selfInitiated(create(MARK + "/5f0a1c1e-8a0b-4c49-9f5e-0d5f0b7f6a11")))
                .isEmpty();
    }

    @Test
    void anEditOfSuchAJobIsNot() {
        var job = marked(MARK);

        assertThat(selfInitiated(Reviews.update(job, Jobs.with(job, "/spec/backoffLimit", "1"))))
                .isEmpty();
    }

    @Test
    void aChangeOfOwnersInOurNameIs() {
        var job = marked(MARK);
        ObjectNode review = Reviews.update(job, job);
        review.withObject("/request/options").put("fieldManager", "gitops-interlock");

        assertThat(selfInitiated(review)).contains(review.at("/request/uid").asText());
    }

    private static ObjectNode create(String mark) {
        ObjectNode review = Reviews.update(Jobs.finished(), mark.isEmpty() ? Jobs.finished() : marked(mark));
        review.withObject("/request").put("operation", "CREATE").putNull("oldObject");
        return review;
    }

    private static JsonNode marked(String mark) {
        return Jobs.with(Jobs.finished(), "/metadata/annotations/gitops-interlock.dev~1replaced", mark);
    }

    private static Optional<String> selfInitiated(JsonNode review) {
        return ReviewReader.selfInitiated(Body.of(review.toString().getBytes(UTF_8)), KINDS);
    }
}
