package dev.gitopsinterlock.job.effect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.effect.Fingerprint;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobPartsTest {

    private static final JsonNode JOB = Jobs.finished();
    private static final Fingerprint ORDERED = Fingerprint.of(JobParts.of(JOB.path("spec")));
    private static final FieldPath POD = FieldPath.of("spec", "template", "spec");
    private static final FieldPath IMAGE = POD.field("containers").index(0).field("image");

    @Test
    void aFieldIsAsOrderedWithTheSameValueOnly() {
        assertThat(ORDERED.isOrdered(JobParts.of(JOB.path("spec")), List.of(IMAGE)))
                .isTrue();
        assertThat(ORDERED.isOrdered(
                        JobParts.of(with("/spec/template/spec/containers/0/image", "'registry.example/migrate:9'")),
                        List.of(IMAGE)))
                .isFalse();
    }

    /** A list that somebody added to is told of as a whole. */
    @Test
    void aListIsAsOrderedWithTheSameMembersOnly() {
        var containers = POD.field("containers");

        assertThat(ORDERED.isOrdered(JobParts.of(JOB.path("spec")), List.of(containers)))
                .isTrue();
        assertThat(ORDERED.isOrdered(
                        JobParts.of(with("/spec/template/spec/containers", "[{'name': 'proxy'}]")),
                        List.of(containers)))
                .isFalse();
    }

    @Test
    void whatIsAbsentIsAsOrderedIfItWasAbsent() {
        var runtimeClass = POD.field("runtimeClassName");

        assertThat(ORDERED.isOrdered(JobParts.of(JOB.path("spec")), List.of(runtimeClass)))
                .isTrue();
        assertThat(ORDERED.isOrdered(
                        JobParts.of(with("/spec/template/spec/runtimeClassName", "'slow'")), List.of(runtimeClass)))
                .isFalse();
        assertThat(Fingerprint.of(JobParts.of(with("/spec/template/spec/runtimeClassName", "'slow'")))
                        .isOrdered(JobParts.of(JOB.path("spec")), List.of(runtimeClass)))
                .isFalse();
    }

    @Test
    void whatLiesDeeperIsToldByWhatItIsIn() {
        var key = POD.field("containers").index(0).field("resources").field("limits");

        assertThat(ORDERED.isOrdered(JobParts.of(JOB.path("spec")), List.of(key)))
                .isTrue();
    }

    @Test
    void aJobOfVeryManyContainersHasNone() {
        var containers = Trees.JSON.createArrayNode();
        IntStream.range(0, 300)
                .forEach(i -> containers.add(Trees.json("{'name': 'c%d', 'image': 'i%d'}".formatted(i, i))));
        var spec = Jobs.with(JOB, "/spec/template/spec/containers", containers).path("spec");

        assertThat(Fingerprint.of(JobParts.of(spec)).text()).isEmpty();
        assertThat(Fingerprint.of(JobParts.of(spec)).isOrdered(JobParts.of(spec), List.of(IMAGE)))
                .isFalse();
    }

    private static JsonNode with(String where, String value) {
        return Jobs.with(JOB, where, Trees.json(value)).path("spec");
    }
}
