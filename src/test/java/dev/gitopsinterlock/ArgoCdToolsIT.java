package dev.gitopsinterlock;

import static dev.gitopsinterlock.testing.Manifests.JOB;
import static dev.gitopsinterlock.testing.Manifests.annotated;
import static dev.gitopsinterlock.testing.Manifests.edited;
import static dev.gitopsinterlock.testing.Manifests.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.ArgoApplication;
import dev.gitopsinterlock.testing.ArgoCd;
import dev.gitopsinterlock.testing.Cluster;
import dev.gitopsinterlock.testing.GitRepository;
import dev.gitopsinterlock.testing.Stories;
import dev.gitopsinterlock.testing.Trees;
import dev.gitopsinterlock.testing.Workspace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commits to Git that Argo CD carries out. */
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Stories.class})
class ArgoCdToolsIT {

    private final Path auditLog;
    private final Workspace shop;
    private final GitRepository git;
    private final ArgoApplication app;

    ArgoCdToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
        auditLog = cluster.controlPlane().auditLog();
        shop = Workspace.in(cluster.controlPlane(), "argo");
        git = GitRepository.in(folder);
        app = argoCd.application(shop.namespace());
    }

    @AfterEach
    void deleteApplication() {
        app.delete();
    }

    @Test
    @DisplayName("Argo CD")
    void aCommitIsApplied() {
        var red = git.commit("settings.yaml", settings("red"));
        app.deploy(git, shop.namespace(), "{automated: {}}");
        app.awaitSynced(red);

        var green = git.commit("settings.yaml", settings("green"));
        app.refresh();

        app.awaitSynced(green);
        assertThat(shop.kubectl("get", "configmap", "settings", "-o", "jsonpath={.data.color}")
                        .orFail()
                        .out())
                .isEqualTo("green");
    }

    @Test
    @DisplayName("Argo CD")
    void anEditedJobIsRefusedAndTheApplicationShowsTheWholeAdvice() throws IOException {
        var first = git.commit("job.yaml", JOB);
        app.deploy(git, shop.namespace(), "{automated: {}, retry: {limit: 1, backoff: {duration: 1s}}}");
        app.awaitSynced(first);
        var uid = shop.uid("db-migrate");

        var second = git.commit("job.yaml", edited(JOB));
        app.refresh();

        app.awaitEnd(second, "Failed");
        await("refusal in the audit log")
                .atMost(Duration.ofSeconds(60))
                .until(() -> !audit("jobs", "patch", 422).isEmpty());
        var refusal = audit("jobs", "patch", 422).getFirst();
        assertThat(refusal.at("/user/username").asText())
                .isEqualTo("system:serviceaccount:argocd:argocd-application-controller");
        var advice = refusal.at("/responseStatus/message").asText();
        assertThat(advice).startsWith("admission webhook").contains("Force=true");
        assertThat(app.message()).contains(advice).endsWith("(retried 1 times).");
        assertThat(app.result("Job", "db-migrate").path("message").asText()).contains(advice);
        app.await(
                "told of the failure",
                live -> live.at("/status/conditions").findValuesAsText("type").contains("SyncError"));
        assertThat(app.conditions()).singleElement(STRING).contains(advice);
        assertThat(app.syncStatus()).isEqualTo("OutOfSync");
        assertThat(shop.uid("db-migrate")).isEqualTo(uid);
    }

    @ParameterizedTest(name = "Argo CD, {0}", quoteTextArguments = false)
    @CsvSource({
        "client-side apply, ,",
        "server-side apply, ServerSideApply=true,",
        "server-side apply and diff, ServerSideApply=true, argocd.argoproj.io/compare-options: ServerSideDiff=true",
        "replace, Replace=true,"
    })
    void everyEditOfAJobRunsItOnceWhereTheNamespaceSaysSo(
            String mode, @Nullable String options, @Nullable String annotation) throws IOException {
        shop.kubectl("annotate", "namespace", shop.namespace(), "gitops-interlock.dev/on-immutable-change=Replace")
                .orFail();
        var policy = "{automated: {selfHeal: true}, syncOptions: [%s]}".formatted(Objects.toString(options, ""));
        var first = git.commit("job.yaml", JOB);
        app.deploy(git, shop.namespace(), policy, Objects.toString(annotation, ""));
        app.awaitSynced(first);
        assertRuns(1);

        int runs = 1;
        for (var image : List.of("migrate:1.1", "migrate:1.2")) {
            var uid = shop.uid("db-migrate");
            var commit = git.commit("job.yaml", JOB.replace("migrate:1.0", image));
            app.refresh();

            var synced = app.awaitSynced(commit);
            assertThat(synced.at("/status/operationState/phase").asText()).isEqualTo("Succeeded");
            assertThat(synced.at("/status/conditions")).isEmpty();
            assertThat(shop.uid("db-migrate")).isNotEqualTo(uid);
            assertThat(shop.job("db-migrate")
                            .at("/spec/template/spec/containers/0/image")
                            .asText())
                    .endsWith(image);
            assertRuns(++runs);
        }

        app.refresh();
        app.awaitSynced(git.head());
        assertRuns(runs);
    }

    @Test
    @DisplayName("Argo CD")
    void aSyncThatWaitsForAHookIsTerminated() {
        var hook = annotated(running(JOB), "argocd.argoproj.io/hook: PreSync");
        git.commit("settings.yaml", settings("red"));
        var first = git.commit("job.yaml", hook);
        app.deploy(git, shop.namespace(), "{}");
        app.sync(first);
        app.await(
                "waiting for its hook",
                live -> live.at("/status/operationState/message").asText().contains("waiting for completion of hook"));
        assertThat(app.phase()).isEqualTo("Running");

        app.terminate();

        app.awaitEnd(first, "Failed");
        assertThat(app.message()).contains("terminated");
        app.await("out of sync", live -> live.at("/status/sync/status").asText().equals("OutOfSync"));
        var second = git.commit("job.yaml", annotated(JOB, "argocd.argoproj.io/hook: PreSync"));
        app.sync(second);
        app.awaitEnd(second, "Succeeded");
        app.awaitSynced(second);
    }

    private void assertRuns(int expected) throws IOException {
        await("Pods")
                .atMost(Duration.ofSeconds(60))
                .until(() -> audit("pods", "create", 201).size() >= expected);
        assertThat(audit("pods", "create", 201)).hasSize(expected);
    }

    /** What the API server was asked to do in the namespace, and answered with the code. */
    private List<JsonNode> audit(String resource, String verb, int code) throws IOException {
        var log = Files.readString(auditLog);
        return log.substring(0, log.lastIndexOf('\n') + 1) // the last line may not be all there yet
                .lines()
                .filter(line -> line.contains(shop.namespace()))
                .map(line -> Trees.json(line.getBytes(StandardCharsets.UTF_8)))
                .filter(event -> event.at("/objectRef/namespace").asText().equals(shop.namespace())
                        && event.at("/objectRef/resource").asText().equals(resource)
                        && event.path("verb").asText().equals(verb)
                        && event.at("/responseStatus/code").asInt() == code)
                .toList();
    }

    private static String settings(String color) {
        return """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings}
                data: {color: %s}
                """.formatted(color);
    }
}
