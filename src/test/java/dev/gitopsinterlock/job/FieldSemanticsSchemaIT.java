package dev.gitopsinterlock.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.differential.Schema;
import dev.gitopsinterlock.differential.Schema.Field;
import dev.gitopsinterlock.differential.Schema.Form;
import dev.gitopsinterlock.testing.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds the lists of {@link FieldSemantics} against what the API server says about its own fields. */
@ExtendWith(Cluster.Extension.class)
class FieldSemanticsSchemaIT {

    private final List<Field> fields;

    FieldSemanticsSchemaIT(Cluster cluster) {
        this.fields = Schema.of(cluster.controlPlane()).fields();
    }

    @Test
    void everyMapIsKnownAsAMap() {
        assertThat(pathsWhere(field -> field.form() == Form.MAP && !isMap(path(field))))
                .as("maps in the schema that our lists do not have")
                .isEmpty();
    }

    /** A list may have a map's name: lists are told by their brackets. */
    @Test
    void noStructIsTakenForAMap() {
        assertThat(pathsWhere(field -> field.form() == Form.STRUCT && isMap(path(field))))
                .as("structs in the schema that our lists call maps")
                .isEmpty();
    }

    @Test
    void everyStructHeldByValueIsKnownToEqualAnEmptyOne() {
        assertThat(pathsWhere(field -> field.isByValue() && !FieldSemantics.absentEqualsEmpty(path(field))))
                .as("structs by value in the schema that our lists do not have")
                .isEmpty();
    }

    private List<String> pathsWhere(Predicate<Field> isWrong) {
        return fields.stream()
                .filter(field -> !field.isElement() && isWrong.test(field))
                .map(Field::path)
                .toList();
    }

    private static boolean isMap(FieldPath path) {
        return FieldSemantics.isMap(path) || FieldSemantics.isOpaqueMap(path);
    }

    private static FieldPath path(Field field) {
        var steps = new ArrayList<FieldPath.Step>();
        for (var step : field.path().replace("[*]", ".*").split("\\.", -1)) {
            steps.add(step.equals("*") ? new FieldPath.Step.Index(0) : new FieldPath.Step.Field(step));
        }
        return new FieldPath(steps);
    }
}
