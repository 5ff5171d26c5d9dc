package dev.gitopsinterlock.tools.kinds;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Trees;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A StatefulSet's serviceName changes under Replace: for each tool an ordinary update, and its Pods stay. */
@ExtendWith(Cluster.Extension.class)
class StatefulSetReplaceToolsIT {

    private static final String SET = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db}
            spec:
              replicas: 2
              serviceName: db
              podManagementPolicy: Parallel
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db, testbed.gitops-interlock.dev/outcome: run}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: main, image: "registry.example/db:1"}]
            """;

    private static final String RENAMED = SET.replace("serviceName: db", "serviceName: db-headless");

    private final Workspace shop;
    private final Path folder;

    StatefulSetReplaceToolsIT(Cluster cluster, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "sets");
        this.folder = folder;
    }

    @BeforeEach
    void askForReplacement() {
        shop.onImmutableChange("Replace");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ServerSideApply=true"})
    @RequiresTools("argocd")
    @ExtendWith(ArgoCd.Extension.class)
    void argoCd(String option, ArgoCd argoCd) {
        var git = GitRepository.in(folder);
        var app = argoCd.application(shop.namespace());
        var first = git.commit("db.yaml", SET);
        app.deploy(git, shop.namespace(), "{syncOptions: [%s]}".formatted(option));
        app.sync(first);
        app.awaitEnd(first, "Succeeded");
        var before = awaitReady();

        var second = git.commit("db.yaml", RENAMED);
        app.sync(second);
        app.awaitEnd(second, "Succeeded");

        assertReplaced(before);
        app.refresh();
        await("in sync").atMost(Patience.LIMIT).until(() -> app.syncStatus().equals("Synced"));
        app.delete();
    }

    @Test
    @RequiresTools("flux")
    @ExtendWith(Flux.Extension.class)
    void flux(Flux flux) {
        var git = GitRepository.in(folder);
        var kustomization = flux.kustomization(shop.namespace());
        var first = git.commit("db.yaml", SET);
        kustomization.deploy(git, shop.namespace(), "{wait: true}");
        kustomization.awaitReady(first);
        var before = awaitReady();

        var second = git.commit("db.yaml", RENAMED);
        kustomization.publish(git);
        kustomization.awaitReady(second);

        assertReplaced(before);
        kustomization.delete();
    }

    @ParameterizedTest
    @EnumSource
    void helm(Helm helm) {
        var chart = new Chart(folder.resolve("chart"));
        chart.write("Chart.yaml", "apiVersion: v2\nname: db\nversion: 1.0.0\n");
        chart.write("templates/db.yaml", SET);
        upgrade(helm, chart);
        var before = awaitReady();

        chart.write("templates/db.yaml", RENAMED);
        upgrade(helm, chart);

        assertReplaced(before);
        // and it goes on being the release's
        chart.write("templates/db.yaml", RENAMED.replace("replicas: 2", "replicas: 3"));
        upgrade(helm, chart);
        await("three Pods").atMost(Patience.LIMIT).until(() -> pods().size() == 3);
    }

    /** The uids of its Pods and, under its own name, of the StatefulSet. */
    private Map<String, String> awaitReady() {
        await("ready")
                .atMost(Patience.LIMIT)
                .until(() -> shop.kubectl(
                                "get",
                                "statefulset",
                                "db",
                                "-o",
                                "jsonpath={.status.readyReplicas} {.status.updatedReplicas} {.status.observedGeneration}")
                        .orFail()
                        .out()
                        .startsWith("2 2 "));
        var all = pods();
        all.put("db", uid());
        return all;
    }

    private void assertReplaced(Map<String, String> before) {
        assertThat(uid()).isNotEqualTo(before.get("db"));
        assertThat(serviceName()).isEqualTo("db-headless");
        var after = awaitReady();
        after.put("db", before.get("db"));
        assertThat(after).isEqualTo(before);
    }

    private void upgrade(Helm helm, Chart chart) {
        helm.run(shop, folder, "upgrade", "--install", "db", chart.folder().toString())
                .orFail();
    }

    private Map<String, String> pods() {
        return Trees.json(shop.kubectl("get", "pods", "-o", "json").orFail().out())
                .path("items")
                .valueStream()
                .collect(toMap(
                        pod -> pod.at("/metadata/name").asText(),
                        pod -> pod.at("/metadata/uid").asText()));
    }

    private String uid() {
        return read("{.metadata.uid}");
    }

    private String serviceName() {
        return read("{.spec.serviceName}");
    }

    private String read(String path) {
        return shop.kubectl("get", "statefulset", "db", "-o", "jsonpath=" + path)
                .orFail()
                .out();
    }
}
