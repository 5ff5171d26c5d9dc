package dev.gitopsinterlock.it.replace;

import static dev.gitopsinterlock.testing.text.Manifests.plain;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.OthersWebhook;
import dev.gitopsinterlock.testing.run.Command.Result;
import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A PUT that names a resourceVersion means what it means in Kubernetes, also where it is carried out as a replacement. */
@ExtendWith(Cluster.Extension.class)
class StalePutIT {

    private static final String WRITTEN =
            "{'metadata': {'labels': {'theirs': 'yes'}, 'annotations': {'theirs': 'yes'}, 'finalizers': ['example.com/theirs']}}";

    private final Workspace shop;

    StalePutIT(Cluster cluster) {
        shop = Workspace.in(cluster.controlPlane(), "stale");
    }

    @BeforeEach
    void aFinishedJob() {
        shop.onImmutableChange("Replace");
        shop.apply(plain("migrate", "1.0"));
        shop.awaitComplete("migrate");
    }

    /** How an editor sends all of the Job, with the version that it was made for. */
    enum Editor {
        READS_AND_SENDS_BACK {
            @Override
            Result send(Workspace shop) {
                return put(shop, edited(shop.job("migrate")));
            }
        },
        SENDS_A_MANIFEST_WITH_THE_VERSION {
            @Override
            Result send(Workspace shop) {
                return put(shop, withVersion(manifest(), version(shop)));
            }
        },
        KUBECTL_REPLACE {
            @Override
            Result send(Workspace shop) {
                return shop.kubectl("replace", "-f", shop.file(plain("migrate", "1.1")));
            }
        };

        abstract Result send(Workspace shop);
    }

    @ParameterizedTest
    @EnumSource
    void whatAnotherClientWritesMeanwhileStaysAndTheEditorIsTold(Editor editor) {
        var old = shop.uid("migrate");
        Result answer;
        try (var _ = OthersWebhook.during(shop.controlPlane(), shop.namespace(), this::writeAsAnother)) {
            answer = editor.send(shop);
        }

        assertThat(answer.err()).contains("the object has been modified");
        assertThat(shop.uid("migrate")).isNotEqualTo(old);
        assertTheirsIsThere();
        release();
    }

    @ParameterizedTest
    @EnumSource
    void thePutThatTakesEffectIsAnOrdinaryUpdate(Editor editor) {
        // beside those that the API server gave it
        shop.kubectl("label", "job", "migrate", "team=a").orFail();
        try (var _ = OthersWebhook.annotating(shop.controlPlane(), shop.namespace())) {
            editor.send(shop).orFail();
        }

        assertThat(shop.job("migrate")
                        .at("/spec/template/spec/containers/0/image")
                        .asText())
                .endsWith("migrate:1.1");
    }

    @Test
    void theSamePutLaterIsAConflict() {
        var put = edited(shop.job("migrate"));
        put(shop, put).orFail();
        shop.awaitComplete("migrate");
        var uid = shop.uid("migrate");
        writeAsAnother();

        assertThat(put(shop, put).err()).contains("the object has been modified");
        assertThat(shop.uid("migrate")).isEqualTo(uid);
        assertTheirsIsThere();
        release();
    }

    /** As it does without us. */
    @Test
    void aPutWithoutAVersionWritesOverEverybody() {
        try (var _ = OthersWebhook.during(shop.controlPlane(), shop.namespace(), this::writeAsAnother)) {
            put(shop, manifest()).orFail();
        }

        assertThat(shop.job("migrate").at("/metadata/labels").has("theirs")).isFalse();
    }

    private void writeAsAnother() {
        shop.kubectl(
                        "patch",
                        "job",
                        "migrate",
                        "--field-manager=another",
                        "--type=merge",
                        "-p",
                        WRITTEN.replace('\'', '"'))
                .orFail();
    }

    private void assertTheirsIsThere() {
        var metadata = shop.job("migrate").path("metadata");
        assertThat(metadata.path("labels").has("theirs")).isTrue();
        assertThat(metadata.path("annotations").has("theirs")).isTrue();
        assertThat(metadata.path("finalizers").toString()).contains("example.com/theirs");
    }

    private void release() {
        shop.kubectl("patch", "job", "migrate", "--type=merge", "-p", "{\"metadata\": {\"finalizers\": null}}")
                .orFail();
    }

    private static Result put(Workspace shop, JsonNode job) {
        return shop.kubectl(
                "replace",
                "--raw",
                "/apis/batch/v1/namespaces/" + shop.namespace() + "/jobs/migrate",
                "-f",
                shop.file(job.toString()));
    }

    private static JsonNode manifest() {
        return Trees.json("""
                {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {'name': 'migrate'}, 'spec': {'template': {'spec':
                  {'restartPolicy': 'Never', 'containers': [{'name': 'migrate', 'image': 'registry.example/migrate:1.1'}]}}}}""");
    }

    private static String version(Workspace shop) {
        return shop.job("migrate").at("/metadata/resourceVersion").asText();
    }

    private static JsonNode withVersion(JsonNode job, String version) {
        ((ObjectNode) job.path("metadata")).put("resourceVersion", version);
        return job;
    }

    /** Without what tells it from another Job of the name, as many clients send it. */
    private static JsonNode edited(JsonNode live) {
        ObjectNode job = live.deepCopy();
        job.remove("status");
        ((ObjectNode) job.path("metadata")).remove("uid");
        ((ObjectNode) job.at("/spec/template/spec/containers/0")).put("image", "registry.example/migrate:1.1");
        return job;
    }
}
