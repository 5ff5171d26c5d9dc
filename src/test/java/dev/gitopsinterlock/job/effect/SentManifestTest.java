package dev.gitopsinterlock.job.effect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tool.Requester;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentManifestTest {

    private static final String MANIFEST = """
            {"kind": "Job", "spec": {"backoffLimit": 2, "completions": null, "template": {"spec": {
              "initContainers": [{"name": "first"}],
              "containers": [
                {"image": "a", "name": "migrate", "imagePullPolicy": "Always", "env": [{"name": "requests"}],
                 "resources": {"requests": {"example.com/gpu": 1, "cpu": {"odd": []}}}},
                {"name": "beside", "resources": {"requests": []}}]}}}}
            """;

    @Test
    void tellsWhatTheManifestHas() {
        var sent = appliedByClient(MANIFEST).orElseThrow();

        assertThat(sent.has("backoffLimit")).isTrue();
        assertThat(sent.has("completions")).isFalse();
        assertThat(sent.has("containers", "migrate", "imagePullPolicy")).isTrue();
        assertThat(sent.has("containers", "migrate", "resources", "requests", "example.com/gpu"))
                .isTrue();
        assertThat(sent.has("containers", "migrate", "resources", "requests", "cpu"))
                .isTrue();
        assertThat(sent.has("containers", "migrate", "resources", "requests", "memory"))
                .isFalse();
        assertThat(sent.has("containers", "beside", "imagePullPolicy")).isFalse();
        assertThat(sent.has("initContainers", "first", "imagePullPolicy")).isFalse();
        assertThat(sent.has("initContainers", "migrate", "imagePullPolicy"))
                .as("of a container that it does not have")
                .isTrue();
    }

    @Test
    void tellsWhatIsAppliedByTheServer() {
        var fields = Trees.json("""
                {'f:spec': {'f:backoffLimit': {}, 'f:template': {'f:spec': {'f:containers': {
                  'k:{\\"name\\":\\"migrate\\"}': {'.': {}, 'f:image': {}, 'f:resources': {'f:requests': {'f:cpu': {}}}}}}}}}
                """);
        var after = Jobs.finished();
        after.withObject("/metadata")
                .putArray("managedFields")
                .addObject()
                .put("manager", "helm")
                .put("operation", "Apply")
                .set("fieldsV1", fields);
        var sent = sent(Jobs.finished(), after).orElseThrow();

        assertThat(sent.has("backoffLimit")).isTrue();
        assertThat(sent.has("parallelism")).isFalse();
        assertThat(sent.has("containers", "migrate", "image")).isTrue();
        assertThat(sent.has("containers", "migrate", "imagePullPolicy")).isFalse();
        assertThat(sent.has("containers", "migrate", "resources", "requests", "cpu"))
                .isTrue();
        assertThat(sent.has("containers", "beside", "image")).isFalse();
    }

    /** Anybody can write anything there. */
    @ParameterizedTest
    @ValueSource(strings = {"{", "", "{\"spec\": {\"template\": ]", "nothing", "{\"spec\": {\"backoffLimit\": 00}}"})
    void nothingIsToldByWhatIsNoManifest(String text) {
        assertThat(appliedByClient(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{\"spec\": []}", "{\"spec\": {\"template\": {\"spec\": {\"containers\": \"a\"}}}}"})
    void oddShapesTellOfNoContainer(String text) {
        var sent = appliedByClient(text).orElseThrow();

        assertThat(sent.has("backoffLimit")).isFalse();
        assertThat(sent.has("containers", "migrate", "imagePullPolicy")).isTrue();
    }

    @Test
    void nothingIsToldByALongOne() {
        assertThat(appliedByClient(MANIFEST.replace("\"a\"", "\"" + "a".repeat(64 * 1024) + "\"")))
                .isEmpty();
    }

    @Test
    void nothingIsToldByOneThatTheRequestDidNotBring() {
        var job = withManifest(MANIFEST);

        assertThat(sent(job, job)).isEmpty();
    }

    private static Optional<SentManifest> appliedByClient(String manifest) {
        return sent(Jobs.finished(), withManifest(manifest));
    }

    private static JsonNode withManifest(String text) {
        return Jobs.with(
                Jobs.finished(), "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration", text);
    }

    private static Optional<SentManifest> sent(JsonNode before, JsonNode after) {
        return SentManifest.of(Change.of(
                ResourceType.JOB,
                Operation.UPDATE,
                new ObjectName("shop", "db-migrate"),
                before,
                after,
                new Requester("alice", "", List.of(), Map.of()),
                "",
                "",
                false));
    }
}
