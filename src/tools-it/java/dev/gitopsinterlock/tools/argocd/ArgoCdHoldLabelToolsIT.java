package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoApplication;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.Example;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Argo CD sees no difference in a Job that got a label by policy, and syncs it again without a refusal. */
@RequiresTools("argocd")
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class})
class ArgoCdHoldLabelToolsIT {

    private static final String LABEL = "{.spec.template.metadata.labels.gitops-interlock\\.dev/hold-restarts}";

    private final Workspace shop;
    private final GitRepository git;
    private final ArgoApplication app;

    ArgoCdHoldLabelToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "argo-hold");
        git = GitRepository.in(folder);
        app = argoCd.application(shop.namespace());
    }

    @AfterEach
    void deleteApplication() {
        app.delete();
    }

    @ParameterizedTest(name = "[{0}] {1}")
    @CsvSource({
        "'', ''",
        "ServerSideApply=true, ''",
        "Replace=true, ''",
        "'', argocd.argoproj.io/compare-options: ServerSideDiff=true",
        "ServerSideApply=true, argocd.argoproj.io/compare-options: ServerSideDiff=true"
    })
    @Execution(ExecutionMode.CONCURRENT)
    void seesNoDifference(String options, String annotations) {
        shop.kubectl("annotate", "namespace", shop.namespace(), "gitops-interlock.dev/hold-restarts=true")
                .orFail();
        var manifests = Map.of("job.yaml", Example.of("argocd-image-change").text("manifests/job.yaml"));
        var first = git.commit(manifests);
        app.deploy(git, shop.namespace(), "{syncOptions: [%s]}".formatted(options), annotations);
        app.sync(first);
        app.awaitSynced(first);
        var job = shop.kubectl("get", "job", "db-migrate", "-o", "jsonpath={.metadata.uid}" + LABEL)
                .orFail()
                .out();
        assertThat(job).endsWith("true");

        var second = git.commit("settings.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}");
        app.sync(second);

        app.awaitSynced(second);
        assertThat(app.phase()).as(app.message()).isEqualTo("Succeeded");
        assertThat(shop.kubectl("get", "job", "db-migrate", "-o", "jsonpath={.metadata.uid}" + LABEL)
                        .orFail()
                        .out())
                .isEqualTo(job);
    }
}
