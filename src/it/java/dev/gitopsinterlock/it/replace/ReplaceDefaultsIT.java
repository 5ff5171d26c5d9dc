package dev.gitopsinterlock.it.replace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a replacement creates is what a delete and a create of the client's manifest would have given. */
@ExtendWith(Cluster.Extension.class)
class ReplaceDefaultsIT {

    /** Each differs from the one before it in what the API server chooses other values by. */
    private static final List<String> MANIFESTS = List.of(
            manifest("backoffLimit: 2", "busybox", "limits: {cpu: 1, memory: 1Gi}"),
            manifest("backoffLimit: 2", "busybox:1.36", "limits: {cpu: 500m, memory: 2Gi}"),
            manifest(
                    "podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}",
                    "busybox:latest",
                    "limits: {cpu: 500m}"),
            manifest("parallelism: 2", "busybox:1.37", "limits: {cpu: 1}, requests: {cpu: 500m}"),
            manifest(
                    "completionMode: Indexed\n  completions: 2\n  backoffLimitPerIndex: 1",
                    "busybox",
                    "limits: {cpu: 2}, requests: {cpu: 500m}"),
            manifest("backoffLimit: 3", "busybox:1.36", "limits: {cpu: 1}"));

    private final Workspace shop;

    ReplaceDefaultsIT(Cluster cluster) {
        shop = Workspace.in(cluster.controlPlane(), "defaults");
        shop.onImmutableChange("Replace");
        shop.kubectl("annotate", "namespace", shop.namespace(), "gitops-interlock.dev/when-active=Replace")
                .orFail();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void areChosenAnewWhereTheManifestLeavesThemOpen(String serverSide) {
        var uids = new ArrayList<String>();
        for (var manifest : MANIFESTS) {
            var file = shop.file(manifest);
            shop.kubectl("apply", "--server-side=" + serverSide, "-f", file).orFail();

            var job = shop.job("db-migrate");
            assertThat(spec(job)).isEqualTo(spec(created(manifest)));
            uids.add(uid(job));
            // a client that puts the manifest finds nothing to change; kubectl reads the Job before, whose status must
            // rest
            shop.awaitComplete("db-migrate");
            shop.kubectl("replace", "-f", file).orFail();
            assertThat(shop.uid("db-migrate")).isEqualTo(uid(job));
            shop.kubectl("apply", "--server-side=" + serverSide, "--force-conflicts=" + serverSide, "-f", file)
                    .orFail();
            assertThat(shop.uid("db-migrate")).isEqualTo(uid(job));
        }
        assertThat(uids).doesNotHaveDuplicates();
    }

    /** By nobody but the API server. */
    private JsonNode created(String manifest) {
        var file = shop.file(manifest.replace("name: db-migrate", "name: another"));
        return Trees.json(shop.kubectl("create", "--dry-run=server", "-o", "json", "-f", file)
                .orFail()
                .out());
    }

    private static String uid(JsonNode job) {
        return job.path("metadata").path("uid").asText();
    }

    private static JsonNode spec(JsonNode job) {
        ObjectNode spec = job.path("spec").deepCopy();
        spec.remove("selector");
        spec.withObject("/template").remove("metadata");
        return spec;
    }

    private static String manifest(String ofSpec, String image, String resources) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: db-migrate
                spec:
                  %s
                  template:
                    metadata:
                      labels: {testbed.gitops-interlock.dev/outcome: succeed}
                    spec:
                      restartPolicy: Never
                      initContainers: [{name: first, image: "%s"}]
                      containers: [{name: migrate, image: "%s", resources: {%s}}]
                """.formatted(ofSpec, image, image, resources);
    }
}
