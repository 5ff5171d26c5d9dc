package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.webhook.ReviewBody.Fault;
import dev.gitopsinterlock.webhook.ReviewBody.Malformed;
import dev.gitopsinterlock.webhook.ReviewBody.Review;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewReaderTest {

    @Test
    void reviewIsRead() {
        var review = Reviews.update(Jobs.finished(), Jobs.running());

        var read = (Review) ReviewReader.read(Trees.bytes(review), JobKind.IDS);

        assertThat(read.uid()).isEqualTo("705ab4f5-6393-11e8-b7cc-42010a800002");
        assertThat(read.request()).isEqualTo(review.path("request"));
    }

    @Test
    void emptyBodyIsSaidToBeEmpty() {
        assertThat(read("")).isEqualTo(new Malformed(Fault.EMPTY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "not json",
                "{",
                "{\"kind\":",
                "{\"kind\":\"AdmissionReview\"",
                "[1,",
                "'single'",
                "{kind: AdmissionReview}",
                "{} {}",
                "{} x",
                "NaN",
                "\u0000"
            })
    void whatIsNoJsonIsSaidToBeNone(String body) {
        assertThat(read(body)).isEqualTo(new Malformed(Fault.NOT_JSON));
    }

    @Test
    void truncatedReviewIsNoJson() {
        var body = Trees.bytes(Reviews.update(Jobs.finished(), Jobs.running()));

        assertThat(ReviewReader.read(Arrays.copyOf(body, body.length - 1), JobKind.IDS))
                .isEqualTo(new Malformed(Fault.NOT_JSON));
    }

    @Test
    void reviewWithSomethingBehindIsNoJson() {
        var body = Trees.bytes(Reviews.update(Jobs.finished(), Jobs.running()));
        var longer = Arrays.copyOf(body, body.length + 1);
        longer[body.length] = '}';

        assertThat(ReviewReader.read(longer, JobKind.IDS)).isEqualTo(new Malformed(Fault.NOT_JSON));
    }

    @Test
    void bytesThatAreNoTextAreNoJson() {
        assertThat(ReviewReader.read(new byte[] {'{', '"', (byte) 0xc3, (byte) 0x28, '"', ':', '1', '}'}, JobKind.IDS))
                .isEqualTo(new Malformed(Fault.NOT_JSON));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "1",
                "[]",
                "{}",
                "\"AdmissionReview\"",
                "{\"kind\":\"AdmissionReview\"}",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1beta1\",\"request\":{\"uid\":\"1\"}}",
                "{\"kind\":\"Job\",\"apiVersion\":\"batch/v1\"}",
                "{\"kind\":[\"AdmissionReview\"],\"apiVersion\":\"admission.k8s.io/v1\"}"
            })
    void whatIsNoReviewIsSaidToBeNone(String body) {
        assertThat(read(body)).isEqualTo(new Malformed(Fault.NOT_A_REVIEW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",\"request\":null",
                ",\"request\":[]",
                ",\"request\":\"uid\"",
                ",\"request\":{}",
                ",\"request\":{\"uid\":null}",
                ",\"request\":{\"uid\":\"\"}",
                ",\"request\":{\"uid\":7}"
            })
    void reviewWithoutRequestOrUidCannotBeAnswered(String rest) {
        assertThat(read("{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"" + rest + "}"))
                .isEqualTo(new Malformed(Fault.NO_REQUEST));
    }

    @ParameterizedTest
    @CsvSource({
        "/request/kind/kind, CronJob",
        "/request/kind/version, v1beta1",
        "/request/kind/group, extensions",
        "/request/kind, Job"
    })
    void otherKindsAndVersionsAreNotAnswered(String pointer, String value) {
        var review = Jobs.with(Reviews.update(Jobs.finished(), Jobs.running()), pointer, value);

        assertThat(ReviewReader.read(Trees.bytes(review), JobKind.IDS)).isEqualTo(new Malformed(Fault.OTHER_KIND));
    }

    @Test
    void twoHundredLevelsAreRead() {
        assertThat(ReviewReader.read(nested(200), JobKind.IDS)).isInstanceOf(Review.class);
    }

    @Test
    void moreThanTwoHundredLevelsAreNot() {
        assertThat(ReviewReader.read(nested(201), JobKind.IDS)).isEqualTo(new Malformed(Fault.NOT_JSON));
    }

    @Test
    void manyThousandLevelsAreNot() {
        assertThat(read("[".repeat(1_000_000))).isEqualTo(new Malformed(Fault.NOT_JSON));
    }

    @Test
    void lineNeverRepeatsTheBody() {
        assertThat(Arrays.stream(Fault.values()).map(Fault::line))
                .allSatisfy(line -> assertThat(line).matches("[ -~]{1,80}"));
    }

    /** A review whose deepest list is so many levels down. */
    private static byte[] nested(int levels) {
        var review = Trees.bytes(Reviews.update(Jobs.finished(), Jobs.running()));
        var text = new String(review, StandardCharsets.UTF_8);
        var lists = "[".repeat(levels - 1) + "]".repeat(levels - 1);
        return (text.substring(0, text.length() - 1) + ",\"deep\":" + lists + "}").getBytes(StandardCharsets.UTF_8);
    }

    private static ReviewBody read(String body) {
        return ReviewReader.read(body.getBytes(StandardCharsets.UTF_8), JobKind.IDS);
    }
}
