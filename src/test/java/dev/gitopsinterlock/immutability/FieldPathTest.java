package dev.gitopsinterlock.immutability;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class FieldPathTest {

    @Example
    void readsLikeTheApiServersPaths() {
        var path = FieldPath.of("spec", "template", "spec", "containers")
                .index(0)
                .field("env")
                .index(12)
                .field("value");

        assertThat(path).hasToString("spec.template.spec.containers[0].env[12].value");
    }

    @Example
    void keysOfMapsStandInBrackets() {
        var path = FieldPath.of("spec", "template", "metadata", "labels").key("batch.kubernetes.io/job-name");

        assertThat(path).hasToString("spec.template.metadata.labels[batch.kubernetes.io/job-name]");
    }

    @Example
    void pathEndsBeforeAnOddKey() {
        var path = FieldPath.of("spec", "nodeSelector").key("a\nb").field("deeper");

        assertThat(path).hasToString("spec.nodeSelector");
    }

    @Property
    void textIsShortAndPlainWhateverTheNames(@ForAll("paths") FieldPath path) {
        assertThat(path.toString()).hasSizeLessThanOrEqualTo(160).matches("spec[A-Za-z0-9._/\\[\\]-]*");
    }

    @Property
    void textNeverLooksLikeAGoMap(@ForAll("paths") FieldPath path) {
        assertThat(path.toString()).doesNotContain("map[");
    }

    @Property
    void textIsTheBeginningOfTheTextOfADeeperPath(@ForAll("paths") FieldPath path, @ForAll("names") String name) {
        assertThat(path.field(name).toString()).startsWith(path.toString());
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(20),
                Arbitraries.of("map", "Map", "a]map", "containers", "labels", "a".repeat(80), "a".repeat(81)));
    }

    @Provide
    Arbitrary<FieldPath> paths() {
        return names().list().ofMaxSize(8).map(names -> {
            var path = FieldPath.of("spec");
            for (var name : names) {
                path = switch (name.length() % 3) {
                    case 0 -> path.field(name).index(0);
                    case 1 -> path.key(name);
                    default -> path.field(name);
                };
            }
            return path;
        });
    }
}
