package dev.gitopsinterlock.tools.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A chart has its version where nothing can change: it is told so, and what helps once helps for good. */
@ExtendWith(Cluster.Extension.class)
class FixedVersionToolsIT {

    private static final String LABEL = "helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}";

    private static final String SET = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db, labels: {LABEL}}
            spec:
              replicas: 0
              serviceName: db
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db}}
                spec:
                  containers: [{name: main, image: "registry.example/db:1"}]
              volumeClaimTemplates:
                - metadata: {name: data, labels: {app: db, LABEL}}
                  spec:
                    accessModes: [ReadWriteOnce]
                    resources: {requests: {storage: 1Gi}}
            """;

    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: db-migrate, labels: {LABEL}}
            spec:
              template:
                metadata: {labels: {app: db, LABEL}}
                spec:
                  restartPolicy: Never
                  containers: [{name: main, image: "registry.example/db:1"}]
            """;

    private final Workspace shop;
    private final Path folder;
    private final Chart chart;

    FixedVersionToolsIT(Cluster cluster, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "fixed-version");
        this.folder = folder;
        chart = new Chart(folder.resolve("chart"));
    }

    @ParameterizedTest
    @EnumSource
    void helm(Helm helm) {
        chart.write("templates/db.yaml", SET.replace("LABEL", LABEL));
        chart.write("templates/migrate.yaml", JOB.replace("LABEL", LABEL));
        upgrade(helm, "1.0.0").orFail();
        assertThat(upgrade(helm, "1.1.0").err())
                .contains(
                        "out of the claim templates",
                        "--cascade=orphan), then upgrade again",
                        "StatefulSetClaimLabelsEdit");

        chart.write(
                "templates/db.yaml", SET.replace("app: db, LABEL", "app: db").replace("LABEL", LABEL));
        shop.kubectl("delete", "statefulset", "db", "--cascade=orphan").orFail();
        assertThat(upgrade(helm, "1.1.0").err()).contains("out of the Pod template", "JobTemplateLabelsEdit");

        chart.write(
                "templates/migrate.yaml",
                JOB.replace("app: db, LABEL", "app: db").replace("LABEL", LABEL));
        shop.kubectl("delete", "job", "db-migrate", "--cascade=foreground").orFail();
        upgrade(helm, "1.1.0").orFail();
        var before = uids();
        upgrade(helm, "1.2.0").orFail();

        assertThat(uids()).isEqualTo(before);
        assertThat(shop.kubectl("get", "job/db-migrate", "-o", "jsonpath={.metadata.labels['helm\\.sh/chart']}")
                        .out())
                .isEqualTo("db-1.2.0");
    }

    private String uids() {
        return shop.kubectl("get", "statefulset/db", "job/db-migrate", "-o", "jsonpath={.items[*].metadata.uid}")
                .orFail()
                .out();
    }

    private Command.Result upgrade(Helm helm, String version) {
        chart.write("Chart.yaml", "apiVersion: v2\nname: db\nversion: %s\n".formatted(version));
        return helm.run(
                shop, folder, "upgrade", "--install", "db", chart.folder().toString());
    }
}
