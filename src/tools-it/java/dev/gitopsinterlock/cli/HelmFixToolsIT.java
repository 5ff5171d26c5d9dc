package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Texts;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An upgrade fails with our denial, {@code check --fix} writes into the chart what helps, and the next one succeeds. */
@ExtendWith(Cluster.Extension.class)
class HelmFixToolsIT {

    private static final String JOB = "db-migrate";

    private final Workspace shop;
    private final Path home;
    private final Chart chart;

    HelmFixToolsIT(Cluster cluster, @TempDir Path home) {
        shop = Workspace.in(cluster.controlPlane(), "helm-fix");
        this.home = home;
        chart = Chart.copy(Example.of("helm-release"), home.resolve("chart"));
        chart.edit("values.yaml", "enabled: true", "enabled: false");
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT)
    void helmUpgradesWhatIsFixed(Helm helm) {
        helm(helm, "install", "shop", chart.folder().toString()).orFail();
        shop.awaitComplete(JOB);
        render(helm, "base.yaml");
        chart.edit("values.yaml", "migrate:1.0", "migrate:1.1");
        var refused = helm(helm, "upgrade", "shop", chart.folder().toString());
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.text()).contains(". HelmJobEdit");
        var history = JobHistory.of(shop, JOB);

        render(helm, "target.yaml");
        var fixed = check("--fix", "--chart", "chart");
        assertThat(fixed.out())
                .startsWith("--- a/chart/templates/migrate.yaml\n")
                .endsWith("1 Job checked, nothing found\n");
        render(helm, "target.yaml");
        assertThat(check().out()).isEqualTo("1 Job checked, nothing found\n");
        helm(helm, "upgrade", "shop", chart.folder().toString()).orFail();

        history.awaitComplete("migrate:1.1");
        assertThat(history.newRuns()).isEqualTo(1);
        assertIsAHook(helm);
    }

    /** Helm itself deletes what is rendered at the installation alone; Argo CD renders every time as at an installation. */
    @ParameterizedTest(name = "{0}")
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT)
    void anUpgradeIsRenderedAsOne(Helm helm) {
        var template = chart.folder().resolve("templates/migrate.yaml");
        Texts.write(template, "{{- if .Release.IsInstall }}\n" + Texts.read(template) + "{{- end }}\n");
        helm(helm, "install", "shop", chart.folder().toString()).orFail();
        render(helm, "base.yaml");
        chart.edit("values.yaml", "migrate:1.0", "migrate:1.1");

        render(helm, "target.yaml");
        assertThat(check().out()).contains("error: Helm will fail on this change of Job db-migrate");
        render(helm, "target.yaml", "--is-upgrade");
        assertThat(check("--allow-empty").code()).isZero();

        helm(helm, "upgrade", "shop", chart.folder().toString()).orFail();
        assertThat(shop.jobs()).doesNotContain(JOB);
    }

    /** All that {@code --fix} says about it. */
    private void assertIsAHook(Helm helm) {
        var upgraded = JobHistory.of(shop, JOB);
        helm(helm, "upgrade", "shop", chart.folder().toString()).orFail();
        assertThat(upgraded.newRuns()).as("runs of an upgrade without a change").isEqualTo(1);

        var rolledBack = JobHistory.of(shop, JOB);
        helm(helm, "rollback", "shop", "3").orFail();
        assertThat(rolledBack.newRuns()).as("runs of a rollback").isZero();

        assertThat(helm(helm, "rollback", "shop", "1").exitCode())
                .as("rollback to a revision from before")
                .isEqualTo(1);
        shop.kubectl("delete", "job", JOB, "--cascade=foreground").orFail();
        helm(helm, "rollback", "shop", "1").orFail();
        shop.awaitComplete(JOB);
        helm(helm, "upgrade", "shop", chart.folder().toString()).orFail();

        helm(helm, "uninstall", "shop").orFail();
        assertThat(shop.jobs()).as("left by the release").contains(JOB);
    }

    private void render(Helm helm, String file, String... options) {
        Texts.write(
                home.resolve(file),
                helm.template(chart.folder(), "shop", List.of(options)).orFail().out());
    }

    private Run check(String... options) {
        return Run.in(
                home,
                Stream.concat(Stream.of("check", "base.yaml", "target.yaml", "--tool", "helm"), Stream.of(options))
                        .toArray(String[]::new));
    }

    private Command.Result helm(Helm helm, String... arguments) {
        return helm.run(shop, home, arguments);
    }
}
