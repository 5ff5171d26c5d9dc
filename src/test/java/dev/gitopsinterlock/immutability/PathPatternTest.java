package dev.gitopsinterlock.immutability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathPatternTest {

    private static final PathPattern RESOURCES = PathPattern.parse("spec.containers[*].resources");
    private static final FieldPath CONTAINER =
            FieldPath.of("spec", "containers").index(3);

    @Test
    void coversTheFieldAndEverythingBelow() {
        assertThat(RESOURCES.covers(CONTAINER.field("resources"))).isTrue();
        assertThat(RESOURCES.covers(CONTAINER.field("resources").field("limits").key("cpu")))
                .isTrue();
    }

    @Test
    void doesNotCoverWhatIsAboveOrBeside() {
        assertThat(RESOURCES.covers(CONTAINER)).isFalse();
        assertThat(RESOURCES.covers(CONTAINER.field("image"))).isFalse();
        assertThat(RESOURCES.covers(
                        FieldPath.of("spec", "initContainers").index(3).field("resources")))
                .isFalse();
    }

    @Test
    void starStandsForAnIndexOrKeyButNoField() {
        assertThat(RESOURCES.covers(FieldPath.of("spec", "containers", "first", "resources")))
                .isFalse();
    }

    @Test
    void nameStandsForAFieldButNoKey() {
        assertThat(PathPattern.parse("spec.nodeSelector.pool")
                        .covers(FieldPath.of("spec", "nodeSelector").key("pool")))
                .isFalse();
    }

    @Test
    void isMeansExactly() {
        assertThat(RESOURCES.is(CONTAINER.field("resources"))).isTrue();
        assertThat(RESOURCES.is(CONTAINER.field("resources").field("limits"))).isFalse();
    }
}
