package dev.gitopsinterlock.tools.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.client.FleetAgent;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.FluxKustomization;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.StoredOtherwise;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The tools that apply by the server deploy Jobs with fields that are stored otherwise than they are written, three edits
 * in a row and without force: none conflicts with an earlier one, and the owners are those of a first deployment.
 */
@ExtendWith({Cluster.Extension.class, Flux.Extension.class})
class ServerSideApplyToolsIT {

    private final Cluster cluster;
    private final Path home;

    ServerSideApplyToolsIT(Cluster cluster, @TempDir Path home) {
        this.cluster = cluster;
        this.home = home;
    }

    /** Brings the Jobs in a version to the cluster, and fails unless its tool says that all is well. */
    @FunctionalInterface
    private interface Deployment {
        void of(String version);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void helm4() {
        assertReplaced(workspace -> {
            var folder = home.resolve(workspace.namespace());
            var chart = chart(folder);
            return version -> {
                templates(version).forEach(chart::write);
                var isFirst = workspace.jobs().isEmpty();
                Helm.HELM_4
                        .run(
                                workspace,
                                folder,
                                isFirst ? "install" : "upgrade",
                                "shop",
                                chart.folder().toString())
                        .orFail();
            };
        });
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void fleetsAgent() {
        assertReplaced(workspace -> {
            var folder = home.resolve(workspace.namespace());
            var chart = chart(folder);
            chart.write("fleet.yaml", "helm: {releaseName: shop, values: {}}\n");
            var agent = FleetAgent.of(cluster.controlPlane(), workspace, folder);
            return version -> {
                templates(version).forEach(chart::write);
                agent.deploy(chart).orFail();
            };
        });
    }

    @Test
    @RequiresTools("flux")
    @Execution(ExecutionMode.CONCURRENT)
    void flux(Flux flux) {
        assertReplaced(workspace -> {
            var git = GitRepository.in(home.resolve(workspace.namespace()));
            FluxKustomization kustomization = flux.kustomization(workspace.namespace());
            return version -> {
                var commit = git.commit(manifests("", version));
                if (workspace.jobs().isEmpty()) {
                    kustomization.deploy(git, workspace.namespace(), "{wait: true}");
                } else {
                    kustomization.publish(git);
                }
                kustomization.awaitReady(commit);
            };
        });
    }

    private void assertReplaced(Function<Workspace, Deployment> tool) {
        var shop = workspace();
        var deployment = tool.apply(shop);
        deployment.of("1.0");
        for (var version : List.of("1.1", "1.2", "1.3")) {
            awaitComplete(shop);
            var old = ofAll(shop, job -> job.at("/metadata/uid"));

            deployment.of(version);

            assertThat(ofAll(shop, job -> job.at("/metadata/uid")).values()).doesNotContainAnyElementsOf(old.values());
            assertThat(ofAll(shop, ServerSideApplyToolsIT::image).values())
                    .allMatch(image -> image.asText().endsWith(":" + version));
        }
        var another = workspace();
        tool.apply(another).of("1.3");
        assertThat(ofAll(shop, StoredOtherwise::owners)).isEqualTo(ofAll(another, StoredOtherwise::owners));
    }

    private Workspace workspace() {
        var workspace = Workspace.in(cluster.controlPlane(), "shapes");
        workspace.onImmutableChange("Replace");
        return workspace;
    }

    private static void awaitComplete(Workspace workspace) {
        StoredOtherwise.ALL.forEach(shape -> workspace.awaitComplete(shape.name()));
    }

    private static JsonNode image(JsonNode job) {
        return job.at("/spec/template/spec/containers/0/image");
    }

    /** By the names of the Jobs. */
    private static <T> Map<String, T> ofAll(Workspace workspace, Function<JsonNode, T> fact) {
        return StoredOtherwise.ALL.stream()
                .map(StoredOtherwise::name)
                .collect(Collectors.toMap(Function.identity(), name -> fact.apply(workspace.job(name))));
    }

    private static Chart chart(Path folder) {
        var chart = new Chart(folder.resolve("chart"));
        chart.write("Chart.yaml", "{apiVersion: v2, name: shop, version: 0.1.0}\n");
        return chart;
    }

    private static Map<String, String> templates(String version) {
        return manifests("templates/", version);
    }

    private static Map<String, String> manifests(String folder, String version) {
        var files = new TreeMap<String, String>();
        for (var shape : StoredOtherwise.ALL) {
            files.put(folder + shape.name() + ".yaml", shape.manifest(shape.name(), version));
        }
        return files;
    }
}
