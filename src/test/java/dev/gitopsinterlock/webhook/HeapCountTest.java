package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.webhook.ReviewBody.Fault;
import dev.gitopsinterlock.webhook.ReviewBody.Malformed;
import dev.gitopsinterlock.webhook.ReviewBody.Review;
import dev.gitopsinterlock.webhook.ReviewBody.TooCostly;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a review takes of the heap is known while it is read, and ends the reading. */
class HeapCountTest {

    private static final Set<String> KINDS = JobKind.IDS;
    private static final String UID = "705ab4f5-6393-11e8-b7cc-42010a800002";
    private static final long ALLOWANCE = 1024 * 1024;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "[[]]",
                "{\"name\":\"a\"}",
                "{\"a\":{\"b\":1}}",
                "1",
                "1.5",
                "12345678901",
                "\"a\"",
                "null",
                "\"%d\"",
                "{\"%d\":0}",
                "{\"name\":\"%d\",\"value\":\"\u0142%d\"}",
                "123456789012345678901234567890"
            })
    void neverLessIsCountedThanIsTaken(String element) {
        var body = review(elements(element, 100_000));
        var kept = new Review[1];
        ReviewReader.read(body, KINDS);

        var before = used();
        kept[0] = (Review) ReviewReader.read(body, KINDS);
        var taken = used() - before;

        // whatever else the JVM does in the meantime
        var tolerance = 512 * 1024;
        assertThat(kept[0].heap() + tolerance).isGreaterThan(taken);
    }

    @Test
    void anOrdinaryReviewTakesAFewTimesItsLength() {
        var job = Jobs.finished();
        var body = Trees.bytes(Reviews.update(job, Jobs.with(job, "/spec/template/spec/containers/0/image", "b")));

        var review = (Review) ReviewReader.read(body, KINDS);

        assertThat(review.heap()).isBetween((long) body.length, 8L * body.length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"name\":\"a\"}", "{}", "[]", "\"%d\"", "{\"%d\":1}", "1.5"})
    void whatTakesTooMuchIsPutAsideWithItsUid(String element) {
        var body = review(elements(element, 100_000));

        assertThat(ReviewReader.read(Body.of(body), KINDS, ALLOWANCE)).isEqualTo(new TooCostly(UID));
    }

    @Test
    void aTextThatIsLongerThanAnyObjectIsPutAside() {
        var body = review("\"" + "x".repeat(2 * 1024 * 1024 + 1) + "\"");

        assertThat(ReviewReader.read(Body.of(body), KINDS, Long.MAX_VALUE)).isEqualTo(new TooCostly(UID));
    }

    @Test
    void whatIsPutAsideHasToBeAReviewAllTheSame() {
        var large = "[" + elements("{}", 100_000) + "]";

        assertThat(read(large)).isEqualTo(new Malformed(Fault.NOT_A_REVIEW));
        assertThat(read("{\"a\":" + large + "} x")).isEqualTo(new Malformed(Fault.NOT_JSON));
        assertThat(read("{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"a\":" + large + "}"))
                .isEqualTo(new Malformed(Fault.NO_REQUEST));
        assertThat(read(new String(review(elements("{}", 100_000)), UTF_8).replace("\"Job\"", "\"Pod\"")))
                .isEqualTo(new Malformed(Fault.OTHER_KIND));
    }

    private static ReviewBody read(String body) {
        return ReviewReader.read(Body.of(body.getBytes(UTF_8)), KINDS, ALLOWANCE);
    }

    private static String elements(String element, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> element.replace("%d", Integer.toString(i)))
                .collect(Collectors.joining(","));
    }

    private static byte[] review(String elements) {
        var review = Reviews.update(Jobs.finished(), Jobs.running()).toString();
        return review.replaceFirst("\"request\":\\{", "\"request\":{\"large\":[" + elements + "],")
                .getBytes(UTF_8);
    }

    /** By this thread alone, were it not for the collection before. */
    private static long used() {
        var heap = ManagementFactory.getMemoryMXBean();
        heap.gc();
        return heap.getHeapMemoryUsage().getUsed();
    }
}
