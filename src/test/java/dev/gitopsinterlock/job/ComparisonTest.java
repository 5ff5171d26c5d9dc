package dev.gitopsinterlock.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.immutability.Comparison;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.Difference.Kind;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as equal: the table of the API server's semantics, row by row. */
class ComparisonTest {

    private static final String CONTAINER = "/spec/template/spec/containers/0";
    private static final String MEMORY = CONTAINER + "/resources/limits/memory";

    @ParameterizedTest
    @CsvSource({
        "'1Gi', '1073741824'",
        "'1Gi', '1024Mi'",
        "'1k', '1e3'",
        "'1k', '1000'",
        "'1e3', '1000'",
        "'1E3', '1000'",
        "'100m', '0.1'",
        "'1', '1000m'",
        "'0.5Gi', '512Mi'",
        "'0', '0Mi'",
        "'1.0', '1'",
        "'1500M', '1.5G'",
        "'1n', '0.000000001'",
        "'+1', '1'"
    })
    void quantitiesOfOneAmountAreEqual(String before, String after) {
        assertThat(differences(with(MEMORY, text(before)), with(MEMORY, text(after))))
                .isEmpty();
    }

    @Test
    void largeBinaryQuantitiesOfOneAmountAreEqual() {
        assertThat(differences(with(MEMORY, text("2Ei")), with(MEMORY, text("2305843009213693952"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'1Gi', '1G'",
        "'1k', '1Ki'",
        "'100m', '0.2'",
        "'1', '1m'",
        "'2305843009213693952', '2305843009213693953'",
        "'0', '1n'"
    })
    void quantitiesOfOtherAmountsDiffer(String before, String after) {
        assertThat(differences(with(MEMORY, text(before)), with(MEMORY, text(after))))
                .containsExactly("spec.template.spec.containers[0].resources.limits[memory]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/spec/template/spec/containers/0/resources/requests/cpu",
                "/spec/template/spec/overhead/cpu",
                "/spec/template/spec/volumes/0/emptyDir/sizeLimit",
                "/spec/template/spec/containers/0/env/0/valueFrom/resourceFieldRef/divisor"
            })
    void quantitiesAreComparedAsNumbersWhereverTheyAre(String pointer) {
        assertThat(differences(with(pointer, text("1k")), with(pointer, text("1000"))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/spec/template/metadata/labels/size",
                "/spec/template/spec/nodeSelector/size",
                "/spec/template/spec/containers/0/env/0/value",
                "/spec/template/spec/containers/0/image"
            })
    void textThatLooksLikeAQuantityIsComparedAsText(String pointer) {
        assertThat(differences(with(pointer, text("1k")), with(pointer, text("1000"))))
                .hasSize(1);
    }

    @Test
    void divisorOfZeroIsNone() {
        var pointer = CONTAINER + "/env/0/valueFrom/resourceFieldRef";

        assertThat(differences(
                        with(pointer, Trees.json("{'resource': 'limits.cpu'}")),
                        with(pointer, Trees.json("{'resource': 'limits.cpu', 'divisor': '0'}"))))
                .isEmpty();
    }

    @Test
    void quantityInAMapIsThereEvenWhenZero() {
        assertThat(differences(with(MEMORY, nothing()), with(MEMORY, text("0"))))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/spec/template/metadata/labels",
                "/spec/template/metadata/annotations",
                "/spec/template/spec/nodeSelector",
                "/spec/template/spec/overhead",
                "/spec/template/spec/containers/0/resources/limits",
                "/spec/template/spec/containers/0/resources/requests"
            })
    void absentNullAndEmptyMapsAreEqual(String pointer) {
        var empty = Trees.json("{}");

        assertThat(differences(with(pointer, nothing()), with(pointer, empty))).isEmpty();
        assertThat(differences(with(pointer, empty), with(pointer, nothing()))).isEmpty();
        assertThat(differences(withNull(pointer), with(pointer, empty))).isEmpty();
        assertThat(differences(withNull(pointer), with(pointer, nothing()))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/spec/template/spec/tolerations",
                "/spec/template/spec/initContainers",
                "/spec/template/spec/containers/0/env",
                "/spec/template/spec/containers/0/args",
                "/spec/template/spec/containers/0/volumeMounts",
                "/spec/template/spec/volumes/0/configMap/items"
            })
    void absentNullAndEmptyListsAreEqual(String pointer) {
        var empty = Trees.json("[]");

        assertThat(differences(with(pointer, nothing()), with(pointer, empty))).isEmpty();
        assertThat(differences(with(pointer, empty), with(pointer, nothing()))).isEmpty();
        assertThat(differences(withNull(pointer), with(pointer, empty))).isEmpty();
        assertThat(differences(withNull(pointer), with(pointer, nothing()))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/spec/podFailurePolicy",
                "/spec/successPolicy",
                "/spec/template/spec/dnsConfig",
                "/spec/template/spec/affinity",
                "/spec/template/spec/affinity/podAffinity",
                "/spec/template/spec/affinity/nodeAffinity",
                "/spec/template/spec/containers/0/securityContext",
                "/spec/template/spec/resources",
                "/spec/template/spec/containers/0/lifecycle",
                "/spec/template/spec/containers/0/lifecycle/preStop",
                "/spec/template/spec/containers/0/livenessProbe",
                "/spec/template/spec/volumes/0/emptyDir"
            })
    void absentAndEmptyStructsBehindPointersDiffer(String pointer) {
        var empty = Trees.json("{}");
        var path = pointer.substring(1).replace("containers/0", "containers[0]").replace("volumes/0", "volumes[0]");

        assertThat(differences(with(pointer, nothing()), with(pointer, empty))).containsExactly(path.replace('/', '.'));
        assertThat(differences(with(pointer, empty), with(pointer, nothing()))).containsExactly(path.replace('/', '.'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/spec/template/metadata",
                "/spec/template/spec/securityContext",
                "/spec/template/spec/containers/0/resources",
                "/spec/template/spec/volumes/0/ephemeral/volumeClaimTemplate/metadata",
                "/spec/template/spec/volumes/0/ephemeral/volumeClaimTemplate/spec/resources"
            })
    void absentAndEmptyStructsHeldByValueAreEqual(String pointer) {
        var empty = Trees.json("{}");

        assertThat(differences(with(pointer, nothing()), with(pointer, empty))).isEmpty();
        assertThat(differences(with(pointer, empty), with(pointer, nothing()))).isEmpty();
    }

    @Test
    void whatIsInAnAbsentStructHeldByValueDiffers() {
        var pointer = "/spec/template/spec/securityContext";

        assertThat(differences(with(pointer, nothing()), with(pointer, Trees.json("{'runAsUser': 0}"))))
                .containsExactly("spec.template.spec.securityContext.runAsUser");
    }

    @Test
    void creationTimestampNullIsAbsent() {
        var pointer = "/spec/template/metadata/creationTimestamp";

        assertThat(differences(withNull(pointer), with(pointer, nothing()))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/spec/template/spec/hostNetwork, false",
        "/spec/template/spec/hostPID, false",
        "/spec/template/spec/hostIPC, false",
        "/spec/template/spec/nodeName, ''",
        "/spec/template/spec/hostname, ''",
        "/spec/template/spec/subdomain, ''",
        "/spec/template/spec/priorityClassName, ''",
        "/spec/template/spec/schedulerName, ''",
        "/spec/template/spec/serviceAccountName, ''",
        "/spec/template/spec/containers/0/workingDir, ''",
        "/spec/template/spec/containers/0/stdin, false",
        "/spec/template/spec/containers/0/stdinOnce, false",
        "/spec/template/spec/containers/0/tty, false",
        "/spec/template/spec/containers/0/terminationMessagePath, ''",
        "/spec/template/spec/containers/0/imagePullPolicy, ''",
        "/spec/template/spec/containers/0/volumeMounts/0/readOnly, false",
        "/spec/template/spec/containers/0/volumeMounts/0/subPath, ''",
        "/spec/template/spec/containers/0/volumeMounts/0/subPathExpr, ''"
    })
    void absentAndZeroScalarsHeldByValueAreEqual(String pointer, String zero) {
        var value = zero.isEmpty() ? text("") : Trees.json(zero);

        assertThat(differences(with(pointer, nothing()), with(pointer, value))).isEmpty();
        assertThat(differences(with(pointer, value), with(pointer, nothing()))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/spec/template/spec/hostNetwork, true",
        "/spec/template/spec/containers/0/stdin, true",
        "/spec/template/spec/nodeName, 1",
        "/spec/template/spec/subdomain, ' '"
    })
    void absentAndOtherScalarsHeldByValueDiffer(String pointer, String other) {
        var value = other.equals("true") ? Trees.json(other) : text(other);

        assertThat(differences(with(pointer, nothing()), with(pointer, value))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "/spec/completions, 0",
        "/spec/backoffLimitPerIndex, 0",
        "/spec/template/spec/automountServiceAccountToken, false",
        "/spec/template/spec/shareProcessNamespace, false",
        "/spec/template/spec/activeDeadlineSeconds, 0",
        "/spec/template/spec/priority, 0",
        "/spec/template/spec/hostUsers, false",
        "/spec/template/spec/containers/0/restartPolicy, \"\"",
        "/spec/template/spec/initContainers/0/restartPolicy, \"\"",
        "/spec/template/spec/volumes/0/csi/readOnly, false"
    })
    void absentAndZeroScalarsBehindPointersDiffer(String pointer, String zero) {
        assertThat(differences(with(pointer, nothing()), with(pointer, Trees.json(zero))))
                .hasSize(1);
    }

    @Test
    void serviceAccountIsAnAliasOfServiceAccountName() {
        var before = with("/spec/template/spec/serviceAccountName", text("shop"));
        var after = Jobs.with(before, "/spec/template/spec/serviceAccount", "shop");

        assertThat(differences(before, after)).isEmpty();
        assertThat(differences(after, Jobs.with(after, "/spec/template/spec/serviceAccountName", "other")))
                .containsExactly("spec.template.spec.serviceAccountName");
    }

    @Test
    void completionsUnsetAndOneDiffer() {
        assertThat(differences(with("/spec/completions", nothing()), with("/spec/completions", Trees.json("1"))))
                .containsExactly("spec.completions");
    }

    @Test
    void orderOfListsMatters() {
        var pointer = CONTAINER + "/args";

        assertThat(differences(
                        with(pointer, Trees.json("['a', 'b', 'c']")), with(pointer, Trees.json("['b', 'a', 'c']"))))
                .containsExactly(
                        "spec.template.spec.containers[0].args[0]", "spec.template.spec.containers[0].args[1]");
    }

    @Test
    void orderOfMapsDoesNotMatter() {
        var pointer = "/spec/template/metadata/labels";

        assertThat(differences(
                        with(pointer, Trees.json("{'a': '1', 'b': '2'}")),
                        with(pointer, Trees.json("{'b': '2', 'a': '1'}"))))
                .isEmpty();
    }

    @Test
    void numbersAreComparedAsNumbers() {
        assertThat(differences(
                        with("/spec/completions", Trees.json("2")), with("/spec/completions", Trees.json("2.0"))))
                .isEmpty();
    }

    @Test
    void listsOfOtherLengthAreNamedAsAWhole() {
        var pointer = CONTAINER + "/args";

        var differences = Comparison.between(
                JobFieldSemantics.SEMANTICS,
                FieldPath.ROOT,
                with(pointer, Trees.json("[]")),
                with(pointer, Trees.json("['a']")));

        assertThat(differences.orElseThrow())
                .singleElement()
                .satisfies(difference -> assertThat(difference.kind()).isEqualTo(Kind.ADDED))
                .satisfies(difference ->
                        assertThat(difference.path()).hasToString("spec.template.spec.containers[0].args"));
    }

    @Test
    void kindTellsWhichSideHasTheField() {
        var pointer = "/spec/template/spec/hostUsers";
        var with = with(pointer, Trees.json("false"));
        var without = with(pointer, nothing());

        assertThat(Comparison.between(JobFieldSemantics.SEMANTICS, FieldPath.ROOT, without, with)
                        .orElseThrow())
                .extracting(Difference::kind)
                .containsExactly(Kind.ADDED);
        assertThat(Comparison.between(JobFieldSemantics.SEMANTICS, FieldPath.ROOT, with, without)
                        .orElseThrow())
                .extracting(Difference::kind)
                .containsExactly(Kind.REMOVED);
        assertThat(Comparison.between(
                                JobFieldSemantics.SEMANTICS, FieldPath.ROOT, with, with(pointer, Trees.json("true")))
                        .orElseThrow())
                .extracting(Difference::kind)
                .containsExactly(Kind.CHANGED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/spec/template/spec/volumes/0/csi/volumeAttributes",
                "/spec/template/spec/volumes/0/flexVolume/options"
            })
    void absentAndEmptyMapsOfDriversAreEqual(String pointer) {
        var empty = Trees.json("{}");

        assertThat(differences(with(pointer, nothing()), with(pointer, empty))).isEmpty();
        assertThat(differences(with(pointer, empty), with(pointer, nothing()))).isEmpty();
    }

    @Test
    void mapsOfDriversAreNamedAsAWhole() {
        var pointer = "/spec/template/spec/volumes/0/csi/volumeAttributes";

        assertThat(differences(
                        with(pointer, Trees.json("{'password-is-hunter2': 'a'}")),
                        with(pointer, Trees.json("{'password-is-hunter2': 'b'}"))))
                .containsExactly("spec.template.spec.volumes[0].csi.volumeAttributes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"\"a\" | [\"a\"]", "\"a\" | {}", "[1] | {'a': 1}", "[] | {}", "1 | [1]", "true | {}"})
    void treesOfOtherKindsAreNotComparable(String before, String after) {
        var pointer = CONTAINER + "/args";

        assertThat(Comparison.between(
                        JobFieldSemantics.SEMANTICS,
                        FieldPath.ROOT,
                        with(pointer, Trees.json(before)),
                        with(pointer, Trees.json(after))))
                .isEmpty();
    }

    private static List<String> differences(JsonNode before, JsonNode after) {
        return Comparison.between(JobFieldSemantics.SEMANTICS, FieldPath.ROOT, before, after).orElseThrow().stream()
                .map(difference -> difference.path().toString())
                .toList();
    }

    private static JsonNode with(String pointer, JsonNode value) {
        return Jobs.with(Jobs.finished(), pointer, value);
    }

    /** Takes away what is there. */
    private static JsonNode nothing() {
        return Trees.JSON.getNodeFactory().nullNode();
    }

    /** JSON's own null. */
    private static JsonNode withNull(String pointer) {
        var job = Jobs.with(Jobs.finished(), pointer, "placeholder");
        var at = JsonPointer.compile(pointer);
        ((ObjectNode) job.at(at.head())).putNull(at.last().getMatchingProperty());
        return job;
    }

    private static JsonNode text(String value) {
        return Trees.JSON.getNodeFactory().textNode(value);
    }
}
