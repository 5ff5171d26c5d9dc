package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.CertManager;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The real Argo CD installs the chart, the real Flux the plain manifests, while the real cert-manager fills in whom the
 * API server is to trust: neither takes that for a difference. There are no Nodes, so the Pods never run.
 */
@RequiresTools(value = "certmanager", definitions = "certmanager")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChartByGitOpsToolsIT {

    private static final List<String> REGISTRATIONS = List.of(
            "mutatingwebhookconfiguration/zz-gitops-interlock", "validatingwebhookconfiguration/gitops-interlock");

    private final ControlPlane kubernetes = ControlPlane.start();
    private final CertManager certManager = CertManager.start(kubernetes);

    @AfterAll
    void end() {
        certManager.close();
        kubernetes.close();
    }

    /** With the example's settings, and with the least that Argo CD can be told. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "as in the example",
                "without ignoreDifferences",
                "ServerSideApply=true without ignoreDifferences"
            })
    void argoCdKeepsItInSync(String how, @TempDir Path folder) {
        var git = GitRepository.in(folder);
        var commit = git.commit(files("helm"));
        try (var argoCd = ArgoCd.start(kubernetes)) {
            var application = application(git, how);
            var app = argoCd.application(application.at("/metadata/name").asText());
            app.apply(Trees.yaml(application));
            app.await("synced", live -> isSyncedTo(live, commit));
            awaitInjected();
            var before = registrations();

            for (int i = 0; i < 3; i++) {
                app.refresh();
                assertThat(app.syncStatus()).isEqualTo("Synced");
            }

            assertThat(app.live().at("/status/history")).hasSize(1);
            assertThat(registrations()).isEqualTo(before);
            app.delete();
        }
        uninstall(rendered());
    }

    @Test
    @RequiresTools("flux")
    void fluxKeepsItInSync(@TempDir Path folder) {
        var git = GitRepository.in(folder);
        git.commit(files("certs"));
        var commit = git.commit(files("deploy"));
        try (var flux = Flux.start(kubernetes)) {
            var manifest = Example.of("flux-install").object("kustomization.yaml");
            // so that it comes back soon enough to be watched
            manifest.withObject("/spec").put("interval", "2s").put("deletionPolicy", "Orphan");
            var kustomization = flux.kustomization(manifest.at("/metadata/name").asText());
            kustomization.publish(git);
            kustomization.apply(Trees.yaml(manifest));
            kustomization.awaitReady(commit);
            awaitInjected();
            var before = registrations();

            for (int i = 0; i < 3; i++) {
                var seen = kustomization
                        .live()
                        .at("/status/history/0/totalReconciliations")
                        .asInt();
                kustomization.await(
                        "reconciled once more",
                        live -> live.at("/status/history/0/totalReconciliations")
                                        .asInt()
                                > seen);
            }

            assertThat(kustomization.awaitReady(commit).status()).isEqualTo("True");
            assertThat(registrations()).isEqualTo(before);
            kustomization.delete();
        }
        uninstall(kubernetes
                .kubectl("kustomize", Project.directory().resolve("deploy").toString())
                .orFail()
                .out());
    }

    private static boolean isSyncedTo(JsonNode live, String commit) {
        return live.at("/status/sync/status").asText().equals("Synced")
                && live.at("/status/sync/revision").asText().equals(commit)
                && live.at("/status/operationState/phase").asText().equals("Succeeded");
    }

    private static ObjectNode application(GitRepository git, String how) {
        var application = Example.of("argocd-install").object("application.yaml");
        application.withObject("/spec/source").put("repoURL", git.url());
        if (how.contains("without ignoreDifferences")) {
            application.withObject("/spec").remove("ignoreDifferences");
        }
        if (how.startsWith("ServerSideApply")) {
            application.withArray("/spec/syncPolicy/syncOptions").add("ServerSideApply=true");
        }
        return application;
    }

    /** A folder of the project as it would be in Git. */
    private static Map<String, String> files(String folder) {
        return new Example(Project.directory().resolve(folder))
                .texts("").entrySet().stream()
                        .collect(toMap(file -> folder + "/" + file.getKey(), Map.Entry::getValue));
    }

    private void awaitInjected() {
        await("CA injected")
                .atMost(Patience.LIMIT)
                .until(() -> registrations().stream()
                        .flatMap(registration -> registration.path("webhooks").valueStream())
                        .allMatch(
                                webhook -> webhook.at("/clientConfig/caBundle").isTextual()));
    }

    private List<JsonNode> registrations() {
        return REGISTRATIONS.stream()
                .<JsonNode>map(name -> Trees.fromYaml(
                        kubernetes.kubectl("get", name, "-o", "yaml").orFail().out()))
                .toList();
    }

    private static String rendered() {
        return Rendering.of().yaml();
    }

    /** So that the next one begins with nothing. */
    private void uninstall(String manifests) {
        var command = Stream.of("delete", "--ignore-not-found", "-f", kubernetes.file(manifests));
        kubernetes.kubectl(command.toArray(String[]::new)).orFail();
    }
}
