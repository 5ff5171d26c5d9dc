package dev.gitopsinterlock.tools.argocd;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.annotated;
import static dev.gitopsinterlock.testing.text.Manifests.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoApplication;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.tools.scenario.Stories;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Commits to Git that Argo CD carries out. */
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Stories.class})
class ArgoCdToolsIT {

    private final Workspace shop;
    private final GitRepository git;
    private final ArgoApplication app;

    ArgoCdToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
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

    private static String settings(String color) {
        return """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings}
                data: {color: %s}
                """.formatted(color);
    }
}
