package dev.gitopsinterlock.tools.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A StatefulSet's serviceName changes: each tool is told what to do, and when it is done, the change goes through. */
@ExtendWith(Cluster.Extension.class)
class StatefulSetToolsIT {

    private static final String SET = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db}
            spec:
              replicas: 0
              serviceName: db
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db}}
                spec:
                  containers: [{name: main, image: "registry.example/db:1"}]
            """;

    private final Workspace shop;
    private final Path folder;

    StatefulSetToolsIT(Cluster cluster, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "sets");
        this.folder = folder;
    }

    @Test
    @RequiresTools("argocd")
    @ExtendWith(ArgoCd.Extension.class)
    void argoCd(ArgoCd argoCd) {
        var git = GitRepository.in(folder);
        var app = argoCd.application(shop.namespace());
        var first = git.commit("db.yaml", SET);
        app.deploy(git, shop.namespace(), "{}");
        app.sync(first);
        app.awaitEnd(first, "Succeeded");

        var second = git.commit("db.yaml", renamed());
        app.sync(second);
        app.awaitEnd(second, "Failed");

        assertThat(app.result("StatefulSet", "db").path("message").asText())
                .contains(
                        "statefulsets.gitops-interlock.dev", "--cascade=orphan), then sync again", ". StatefulSetEdit");
        assertThat(serviceName()).isEqualTo("db");

        deleteAndLeaveThePods();
        app.sync(second);
        app.awaitEnd(second, "Succeeded");
        assertThat(serviceName()).isEqualTo("db-headless");
        app.delete();
    }

    @Test
    @RequiresTools("flux")
    @ExtendWith(Flux.Extension.class)
    void flux(Flux flux) {
        var git = GitRepository.in(folder);
        var kustomization = flux.kustomization(shop.namespace());
        var first = git.commit("db.yaml", SET);
        kustomization.deploy(git, shop.namespace(), "{wait: false}");
        kustomization.awaitReady(first);

        var second = git.commit("db.yaml", renamed());
        kustomization.publish(git);

        assertThat(kustomization.awaitFailed(second).message())
                .contains("--cascade=orphan), then reconcile the Kustomization again", ". StatefulSetEdit");
        deleteAndLeaveThePods();
        kustomization.awaitReady(second);
        assertThat(serviceName()).isEqualTo("db-headless");
        kustomization.delete();
    }

    @ParameterizedTest
    @EnumSource
    void helm(Helm helm) {
        var chart = new Chart(folder.resolve("chart"));
        chart.write("Chart.yaml", "apiVersion: v2\nname: db\nversion: 1.0.0\n");
        chart.write("templates/db.yaml", SET);
        upgrade(helm, chart).orFail();

        chart.write("templates/db.yaml", renamed());
        var refused = upgrade(helm, chart);

        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).contains("--cascade=orphan), then upgrade again", "StatefulSetEdit");
        assertThat(serviceName()).isEqualTo("db");
        deleteAndLeaveThePods();
        upgrade(helm, chart).orFail();
        assertThat(serviceName()).isEqualTo("db-headless");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--server-side=false", "--server-side=true"})
    void kubectl(String how) {
        apply(how, SET).orFail();

        var refused = apply(how, renamed());

        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).contains("--cascade=orphan), then apply again: ", "StatefulSetEdit");
        deleteAndLeaveThePods();
        apply(how, renamed()).orFail();
        assertThat(serviceName()).isEqualTo("db-headless");
    }

    private Command.Result apply(String how, String manifest) {
        return shop.kubectl("apply", how, "-f", shop.file(manifest));
    }

    private Command.Result upgrade(Helm helm, Chart chart) {
        return helm.run(
                shop, folder, "upgrade", "--install", "db", chart.folder().toString());
    }

    private static String renamed() {
        return SET.replace("serviceName: db", "serviceName: db-headless");
    }

    private void deleteAndLeaveThePods() {
        shop.kubectl("delete", "statefulset", "db", "--cascade=orphan").orFail();
    }

    private String serviceName() {
        return shop.kubectl("get", "statefulset", "db", "-o", "jsonpath={.spec.serviceName}")
                .orFail()
                .out();
    }
}
