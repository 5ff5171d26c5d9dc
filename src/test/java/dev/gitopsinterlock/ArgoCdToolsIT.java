package dev.gitopsinterlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.ArgoCd;
import dev.gitopsinterlock.testing.Cluster;
import dev.gitopsinterlock.testing.GitRepository;
import dev.gitopsinterlock.testing.Stories;
import dev.gitopsinterlock.testing.Workspace;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Commits to Git that Argo CD carries out. */
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Stories.class})
class ArgoCdToolsIT {

    private final ArgoCd argoCd;
    private final Workspace shop;
    private final GitRepository git;

    ArgoCdToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
        this.argoCd = argoCd;
        shop = Workspace.in(cluster.controlPlane(), "argo");
        git = GitRepository.in(folder);
    }

    @Test
    void aCommitIsApplied() {
        var first = git.commit("settings.yaml", settings("red"));
        var app = argoCd.apply(ArgoCd.manifest(shop.namespace(), git, shop.namespace(), "{automated: {}}"));
        app.awaitSynced(first);

        var second = git.commit("settings.yaml", settings("green"));
        app.refresh();

        app.awaitSynced(second);
        assertThat(shop.kubectl("get", "configmap", "settings", "-o", "jsonpath={.data.color}")
                        .orFail()
                        .out())
                .isEqualTo("green");
        app.delete();
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
