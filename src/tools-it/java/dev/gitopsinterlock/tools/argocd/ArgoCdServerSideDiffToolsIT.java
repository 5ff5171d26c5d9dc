package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoApplication;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.KindSamples;
import dev.gitopsinterlock.testing.cluster.KindSamples.Sample;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.zjsonpatch.JsonPatch;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An edit that Kubernetes refuses, of every kind beside Job, where Argo CD compares by a dry run and forgets the refusal of
 * that (argoproj/argo-cd#28722): the Application shows our words all the same, however Argo CD tracks its objects.
 */
@RequiresTools("argocd")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class})
class ArgoCdServerSideDiffToolsIT {

    private static final String POLICY =
            "{automated: {}, syncOptions: [ServerSideApply=true], retry: {limit: 1, backoff: {duration: 1s}}}";
    private static final String COMPARE = "argocd.argoproj.io/compare-options: ServerSideDiff=true";

    private final Bed byAnnotation;
    private final Bed byLabel = Bed.trackingByLabel();

    ArgoCdServerSideDiffToolsIT(Cluster cluster, ArgoCd argoCd) {
        byAnnotation = new Bed(cluster, argoCd);
    }

    private record Bed(Cluster cluster, ArgoCd argoCd) {

        static Bed trackingByLabel() {
            var cluster = Cluster.start();
            return new Bed(
                    cluster,
                    ArgoCd.start(cluster.controlPlane(), Map.of("application.resourceTrackingMethod", "label")));
        }
    }

    @AfterAll
    void end() {
        byLabel.argoCd().close();
        byLabel.cluster().close();
    }

    static Stream<Sample> samples() {
        return GuardedKinds.BESIDE_JOB.stream()
                .flatMap(kind -> KindSamples.of(kind).stream())
                .filter(sample ->
                        sample.refused().isPresent() && !sample.object().has("status"));
    }

    @ParameterizedTest
    @MethodSource("samples")
    @Execution(ExecutionMode.CONCURRENT)
    void aRefusalIsShown(Sample sample, @TempDir Path folder) {
        isShown(byAnnotation, sample, folder);
    }

    @ParameterizedTest
    @MethodSource("samples")
    @Execution(ExecutionMode.CONCURRENT)
    void aRefusalIsShownWhereItTracksByLabel(Sample sample, @TempDir Path folder) {
        isShown(byLabel, sample, folder);
    }

    /** There has to be a drift for Argo CD to sync at all. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aJobIsReplacedWhereItTracksByLabel(@TempDir Path folder) {
        var shop = Workspace.in(byLabel.cluster().controlPlane(), "diff-job");
        shop.onImmutableChange("Replace");
        var git = GitRepository.in(folder);
        var job = Example.of("argocd-image-change").text("manifests/job.yaml");
        var app = byLabel.argoCd().application(shop.namespace());
        var first = git.commit("job.yaml", job);
        app.deploy(git, shop.namespace(), POLICY, COMPARE);
        app.awaitSynced(first);
        var history = JobHistory.of(shop, "db-migrate");

        var second = git.commit("job.yaml", job.replace("1.0", "1.1"));
        app.refresh();

        history.awaitComplete("migrate:1.1");
        app.awaitSynced(second);
        assertThat(history.newRuns()).isEqualTo(1);
        app.delete();
    }

    private static void isShown(Bed bed, Sample sample, Path folder) {
        var shop = Workspace.in(bed.cluster().controlPlane(), "diff");
        var object = sample.object().deepCopy();
        object.withObject("/metadata").put("name", shop.namespace()).remove("annotations");
        var git = GitRepository.in(folder);
        var app = bed.argoCd().application(shop.namespace());
        var first = git.commit("object.yaml", object.toString());
        app.deploy(git, shop.namespace(), POLICY, COMPARE);
        app.await("synced", live -> isSyncedTo(live, first));

        var second = git.commit(
                "object.yaml",
                JsonPatch.apply(Trees.json(sample.refused().orElseThrow()), object)
                        .toString());
        app.refresh();

        if (isContent(sample)) {
            app.await("synced to what was not applied", live -> isSyncedTo(live, second));
        } else {
            shows(app, second);
        }
        shop.kubectl("delete", sample.kind().plural() + "." + sample.kind().group(), shop.namespace(), "--wait=false")
                .orFail();
        app.delete();
    }

    /** To put the content of a ConfigMap or Secret back, an answer would have to contain it. */
    private static boolean isContent(Sample sample) {
        return Trees.json(sample.refused().orElseThrow()).findValuesAsText("path").stream()
                .anyMatch(path -> path.startsWith("/data") || path.startsWith("/binaryData"));
    }

    private static void shows(ArgoApplication app, String commit) {
        app.awaitEnd(commit, "Failed");
        assertThat(app.message()).contains("admission webhook \"").containsPattern("\\. [A-Z]\\w+Edit\\b");
        var told = app.await(
                "told of the failure",
                live -> live.at("/status/conditions").findValuesAsText("type").contains("SyncError"));
        assertThat(told.at("/status/sync/status").asText()).isEqualTo("OutOfSync");
    }

    private static boolean isSyncedTo(JsonNode live, String commit) {
        return live.at("/status/sync/status").asText().equals("Synced")
                && live.at("/status/sync/revision").asText().equals(commit)
                && !live.has("operation");
    }
}
