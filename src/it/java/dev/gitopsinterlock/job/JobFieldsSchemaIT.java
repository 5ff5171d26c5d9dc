package dev.gitopsinterlock.job;

import static dev.gitopsinterlock.job.JobFieldSemantics.SEMANTICS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.system.differential.Schema;
import dev.gitopsinterlock.system.differential.Schema.Field;
import dev.gitopsinterlock.system.differential.Schema.Form;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds the lists of {@link JobFieldSemantics} against what the API server says about its own fields. */
@ExtendWith(Cluster.Extension.class)
class JobFieldsSchemaIT {

    /** With one of each list that our scalars are in. */
    private static final String JOB = """
            {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {'name': 'zero'}, 'spec': {'template': {'spec': {
              'restartPolicy': 'Never',
              'volumes': [{'name': 'data', 'emptyDir': {}}],
              'initContainers': [
                {'name': 'a', 'image': 'a', 'volumeMounts': [{'name': 'data', 'mountPath': '/data'}]}],
              'containers': [
                {'name': 'b', 'image': 'b', 'volumeMounts': [{'name': 'data', 'mountPath': '/data'}]}]}}}}
            """;

    private static final String ALWAYS_FILLED_IN = "spec.template.spec.securityContext";

    /** Fields of the spec that ValidateJobSpecUpdate lets change. */
    private static final List<String> MUTABLE = List.of(
            "parallelism",
            "activeDeadlineSeconds",
            "backoffLimit",
            "maxFailedIndexes",
            "manualSelector",
            "ttlSecondsAfterFinished",
            "suspend",
            "podReplacementPolicy");

    private static final List<String> SINCE_1_37 = List.of("scheduling");

    private final Cluster cluster;
    private final List<Field> fields;

    JobFieldsSchemaIT(Cluster cluster) {
        this.cluster = cluster;
        this.fields = Schema.of(cluster.controlPlane()).fields();
    }

    /** A field that a new version brings is neither until somebody has looked. */
    @Test
    void everyFieldOfTheSpecIsKnownAsImmutableOrNot() {
        var isOld = !cluster.controlPlane().isAtLeast("1.37");
        assertThat(fields.stream()
                        .map(JobFieldsSchemaIT::path)
                        .filter(path -> path.steps().size() == 2)
                        .map(path -> path.steps().getLast().name())
                        .filter(name -> !MUTABLE.contains(name)))
                .containsExactlyInAnyOrderElementsOf(ImmutableJobFields.TABLE.names().stream()
                        .filter(name -> !(isOld && SINCE_1_37.contains(name)))
                        .toList());
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
        assertThat(pathsWhere(field -> field.isByValue() && !SEMANTICS.absentEqualsEmpty(path(field))))
                .as("structs by value in the schema that our lists do not have")
                .isEmpty();
    }

    /** What says nothing of its own: its parts tell of its coming and going, or the server always fills it in. */
    @Test
    void noStructBehindAPointerIsTakenToEqualAnEmptyOne() {
        assertThat(pathsWhere(field -> field.form() == Form.STRUCT
                        && !field.isByValue()
                        && SEMANTICS.absentEqualsEmpty(path(field))
                        && !SEMANTICS.isReportedThroughChildren(path(field))))
                .as("pointers in the schema that our lists call structs by value")
                .containsExactly(ALWAYS_FILLED_IN);
    }

    /** The schema does not say which scalars are pointers. The server's answer does: it leaves out a zero by value. */
    @Test
    void noScalarBehindAPointerIsTakenToEqualItsZero() {
        var taken = fields.stream()
                .filter(field -> field.form() == Form.SCALAR && !field.isElement())
                .filter(field -> SEMANTICS.absentEquals(path(field), zero(field)))
                .toList();

        assertThat(taken.stream().filter(this::isKept).map(Field::path))
                .as("pointers in the server's types that our lists call scalars by value")
                .isEmpty();
        assertThat(taken).as("our lists' scalars in the schema").hasSizeGreaterThan(20);
    }

    /** Whether the server's answer has the zero that was sent; what it defaults or leaves out is not kept. */
    private boolean isKept(Field field) {
        var pointer = "/" + field.path().replace("[*]", "/0").replace('.', '/');
        var job = Jobs.with(Trees.json(JOB), pointer, zero(field));
        var answer = Trees.json(cluster.controlPlane()
                .admin()
                .raw("/apis/batch/v1/namespaces/default/jobs?dryRun=All", "POST", job.toString()));
        return answer.at(pointer).equals(zero(field));
    }

    private static JsonNode zero(Field field) {
        return field.type().path("type").asText().equals("boolean") ? BooleanNode.FALSE : TextNode.valueOf("");
    }

    private List<String> pathsWhere(Predicate<Field> isWrong) {
        return fields.stream()
                .filter(field -> !field.isElement() && isWrong.test(field))
                .map(Field::path)
                .toList();
    }

    private static boolean isMap(FieldPath path) {
        return SEMANTICS.isMap(path) || SEMANTICS.isOpaqueMap(path);
    }

    private static FieldPath path(Field field) {
        var steps = new ArrayList<FieldPath.Step>();
        for (var step : field.path().replace("[*]", ".*").split("\\.", -1)) {
            steps.add(step.equals("*") ? new FieldPath.Step.Index(0) : new FieldPath.Step.Field(step));
        }
        return new FieldPath(steps);
    }
}
