package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.cli.ClusterStatus;
import dev.gitopsinterlock.cli.Run;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoApplication;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A commit whose sync was refused, and at which Argo CD is Synced: its comparison was refused, too, and forgets that. */
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class})
class ArgoCdForgottenToolsIT {

    private final ControlPlane kubernetes;
    private final Workspace shop;
    private final GitRepository git;
    private final ArgoApplication app;

    ArgoCdForgottenToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
        kubernetes = cluster.controlPlane();
        shop = Workspace.in(kubernetes, "forgotten");
        git = GitRepository.in(folder);
        app = argoCd.application(shop.namespace());
    }

    @AfterEach
    void deleteApplication() {
        app.delete();
    }

    @Test
    void statusShowsIt() {
        git.commit("both.yaml", content("old"));
        app.deploy(git, shop.namespace(), "{automated: {}}", "argocd.argoproj.io/compare-options: ServerSideDiff=true");
        app.awaitSynced(git.head());

        var refused = git.commit("both.yaml", content("new"));
        app.refresh();
        app.awaitSynced(refused);
        assertThat(value("fixed") + value("free")).isEqualTo("oldold");
        assertThat(ClusterStatus.of(kubernetes))
                .contains("perhaps at a commit that was not applied: 1", "Application argocd/" + shop.namespace());
        var scan = Run.on(kubernetes, kubernetes.adminKubeconfig(), "scan", "-n", "argocd");
        assertThat(scan.out())
                .contains("Application argocd/" + shop.namespace() + " (argocd): Synced, perhaps at a commit");

        app.sync(refused);
        app.awaitEnd(refused, "Failed");
        app.awaitSynced(refused);
        assertThat(ClusterStatus.of(kubernetes))
                .contains(
                        "Blocked now by a denial: 1", "ConfigMap " + shop.namespace() + "/fixed", "ImmutableDataEdit");

        var takenBack = git.commit("both.yaml", content("old"));
        app.refresh();
        app.awaitSynced(takenBack);
        assertThat(ClusterStatus.of(kubernetes)).contains("Blocked now by a denial: none");
    }

    private String value(String name) {
        return shop.kubectl("get", "configmap", name, "-o", "jsonpath={.data.key}")
                .orFail()
                .out();
    }

    /** One that may not change, beside one that may: the latter is why there is a sync. */
    private static String content(String value) {
        return """
                {apiVersion: v1, kind: ConfigMap, metadata: {name: fixed}, immutable: true, data: {key: %1$s}}
                ---
                {apiVersion: v1, kind: ConfigMap, metadata: {name: free}, data: {key: %1$s}}
                """.formatted(value);
    }
}
