package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.joining;
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
import dev.gitopsinterlock.testing.service.Interlock;
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
 * API server is to trust, or the service itself: neither takes that for a difference. There are no Nodes, so no Pod ever
 * runs; where the service has to, it is a process of the test with the account and the rights that the chart gave it.
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
                "ServerSideApply=true without ignoreDifferences",
                "selfManaged without ignoreDifferences",
                "ServerSideApply=true, selfManaged without ignoreDifferences"
            })
    void argoCdKeepsItInSync(String how, @TempDir Path folder) {
        var git = GitRepository.in(folder);
        var commit = git.commit(files("helm"));
        try (var argoCd = ArgoCd.start(kubernetes);
                var service = how.contains("selfManaged") ? selfManaged() : null) {
            var application = application(git, how);
            var app = argoCd.application(application.at("/metadata/name").asText());
            app.apply(Trees.yaml(application));
            app.await("synced", live -> isSyncedTo(live, commit));
            awaitInjected();
            assertThat(paths()).allMatch(path -> service == null || path.matches("/validate/machineconfigs|/.+/.+/.+"));
            var before = registrations();

            for (int i = 0; i < 3; i++) {
                app.refresh();
                assertThat(app.syncStatus()).isEqualTo("Synced");
            }

            assertThat(app.live().at("/status/history")).hasSize(1);
            assertThat(registrations()).isEqualTo(before);
            app.delete();
        }
        uninstall(rendered(how));
    }

    @Test
    @RequiresTools("flux")
    void fluxKeepsItInSync(@TempDir Path folder) {
        var git = GitRepository.in(folder);
        git.commit(files("certs"));
        fluxKeeps(git, git.commit(files("deploy")));
        uninstall(kubernetes
                .kubectl("kustomize", Project.directory().resolve("deploy").toString())
                .orFail()
                .out());
    }

    /** What its helm-controller applies, too, as plain manifests: there is no helm-controller here. */
    @Test
    @RequiresTools("flux")
    void fluxKeepsItInSyncWhereTheServiceMakesItsCertificate(@TempDir Path folder) {
        var rendered = Rendering.of("certificates.mode=selfManaged").yaml();
        var git = GitRepository.in(folder);
        kubernetes.createNamespace(Rendering.NAME);
        try (var service = selfManaged()) {
            fluxKeeps(git, git.commit("deploy/chart.yaml", rendered));
            assertThat(service.log()).contains("a new CA was made");
        }
        uninstall(rendered);
    }

    /** With the settings that the chart gives it, but for the address, which no Service has here. */
    private Interlock selfManaged() {
        // that of the test before, which no tool looks after
        kubernetes
                .kubectl("-n", Rendering.NAME, "delete", "secret", Rendering.NAME + "-trust", "--ignore-not-found")
                .orFail();
        var prefix = "gitops-interlock.certificate.self-managed.";
        return Interlock.serving(Path.of("/nowhere"))
                .watching(kubernetes)
                .without("gitops-interlock.caller-token")
                .with(prefix + "secret", Rendering.NAME + "-trust")
                .with(prefix + "hosts", "gitops-interlock.gitops-interlock.svc")
                .with(
                        prefix + "webhook-configurations",
                        REGISTRATIONS.stream()
                                .map(name -> name.replace("configuration/", "configurations/"))
                                .collect(joining(",")))
                .launch();
    }

    private List<String> paths() {
        return registrations().stream()
                .flatMap(registration -> registration.path("webhooks").valueStream())
                .map(webhook -> webhook.at("/clientConfig/service/path").asText())
                .toList();
    }

    private void fluxKeeps(GitRepository git, String commit) {
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
        if (how.contains("selfManaged")) {
            application
                    .withObject("/spec/source/helm/valuesObject/certificates")
                    .put("mode", "selfManaged");
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

    private static String rendered(String how) {
        return Rendering.of("certificates.mode=" + (how.contains("selfManaged") ? "selfManaged" : "certManager"))
                .yaml();
    }

    /** So that the next one begins with nothing. */
    private void uninstall(String manifests) {
        var command = Stream.of("delete", "--ignore-not-found", "-f", kubernetes.file(manifests));
        kubernetes.kubectl(command.toArray(String[]::new)).orFail();
    }
}
