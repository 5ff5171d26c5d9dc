package dev.gitopsinterlock.tools.clients;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.annotated;
import static dev.gitopsinterlock.testing.text.Manifests.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.tools.scenario.Stories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Releases of a chart whose Job asks to be replaced, by both Helms with their defaults. */
@ExtendWith({Cluster.Extension.class, Stories.class})
class HelmReplaceToolsIT {

    private static final String REPLACE = annotated(JOB, "gitops-interlock.dev/on-immutable-change: Replace");
    private static final String REPLACE_ACTIVE = running(annotated(
            JOB, "gitops-interlock.dev/on-immutable-change: Replace, gitops-interlock.dev/when-active: Replace"));

    private final Workspace shop;
    private final Path home;
    private final Path chart;

    HelmReplaceToolsIT(Cluster cluster, @TempDir Path home) {
        shop = Workspace.in(cluster.controlPlane(), "helm");
        this.home = home;
        chart = home.resolve("chart");
    }

    @BeforeEach
    void writeChart() throws IOException {
        Files.createDirectories(chart.resolve("templates"));
        Files.writeString(chart.resolve("Chart.yaml"), "{apiVersion: v2, name: shop, version: 0.1.0}\n");
        job(REPLACE);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void everyUpgradeRunsANewJobThatBelongsToHelmAlone(Helm helm) throws IOException {
        run(helm, "install", "1.0");
        shop.awaitComplete("db-migrate");

        for (var version : new String[] {"1.1", "1.2", "1.3"}) {
            assertReplaced(version, () -> run(helm, "upgrade", version));
        }

        assertLikeANewOne(() -> run(helm, "upgrade", "1.3"));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void aRollbackRunsTheEarlierJob(Helm helm) throws IOException {
        run(helm, "install", "1.0");
        shop.awaitComplete("db-migrate");
        assertReplaced("1.1", () -> run(helm, "upgrade", "1.1"));

        assertReplaced("1.0", () -> helm.run(shop, home, "rollback", "shop", "1"));

        assertReplaced("1.2", () -> run(helm, "upgrade", "1.2"));
        assertReplaced("1.0", () -> helm.run(shop, home, "rollback", "shop", "1"));
        assertLikeANewOne(() -> helm.run(shop, home, "rollback", "shop", "1"));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void anUpgradeThatWaitsForJobsWaitsForTheNewOne(Helm helm) throws IOException {
        job(REPLACE.replace("outcome: succeed", "outcome: succeed, testbed.gitops-interlock.dev/after: 2s"));
        run(helm, "install", "1.0", "--wait", "--wait-for-jobs");
        assertThat(shop.isComplete("db-migrate")).isTrue();

        assertReplaced("1.1", () -> {
            var answer = run(helm, "upgrade", "1.1", "--wait", "--wait-for-jobs");
            assertThat(shop.isComplete("db-migrate")).isTrue();
            return answer;
        });

        assertLikeANewOne(() -> run(helm, "upgrade", "1.1", "--wait", "--wait-for-jobs"));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void aRunningJobGivesWayWhereThePolicySaysSo(Helm helm) throws IOException {
        job(REPLACE_ACTIVE);
        run(helm, "install", "1.0");
        shop.awaitActive("db-migrate");

        for (var version : new String[] {"1.1", "1.2"}) {
            var uid = shop.uid("db-migrate");
            run(helm, "upgrade", version).orFail();
            assertNewJob(uid, version);
            await("only the new Job's Pod, running").until(this::runningPods, shop.uid("db-migrate")::equals);
        }
    }

    /** It sends the whole object in a PUT. Helm 4 does so only where it does not apply by the server. */
    @ParameterizedTest(name = "{0}")
    @EnumSource
    void aForcedUpgradeRunsANewJob(Helm helm) throws IOException {
        var force = helm == Helm.HELM_3
                ? new String[] {"--force"}
                : new String[] {"--force-replace", "--server-side=false"};
        run(helm, "install", "1.0");
        shop.awaitComplete("db-migrate");

        for (var version : new String[] {"1.1", "1.2"}) {
            assertReplaced(version, () -> run(helm, "upgrade", version, force));
        }

        var uid = shop.uid("db-migrate");
        run(helm, "upgrade", "1.2", force);
        assertThat(shop.uid("db-migrate")).as("the same again").isEqualTo(uid);
        assertReplaced("1.3", () -> run(helm, "upgrade", "1.3"));
        assertReplaced("1.4", () -> run(helm, "upgrade", "1.4", force));
        assertLikeANewOne(() -> run(helm, "upgrade", "1.4"));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = "HELM_4")
    void aReleaseThatWasMergedByTheClientIsAppliedByTheServerFromNowOn(Helm helm) throws IOException {
        run(helm, "install", "1.0", "--server-side=false");
        shop.awaitComplete("db-migrate");
        assertReplaced("1.1", () -> run(helm, "upgrade", "1.1"));

        assertReplaced("1.2", () -> run(helm, "upgrade", "1.2", "--server-side=true"));

        assertReplaced("1.3", () -> run(helm, "upgrade", "1.3"));
        assertLikeANewOne(() -> run(helm, "upgrade", "1.3"));
    }

    private interface Edit {
        Command.Result make() throws IOException;
    }

    private void assertReplaced(String version, Edit edit) throws IOException {
        var uid = shop.uid("db-migrate");
        edit.make().orFail();
        assertNewJob(uid, version);
        shop.awaitComplete("db-migrate");
    }

    private void assertNewJob(String oldUid, String version) {
        var job = shop.job("db-migrate");
        assertThat(job.at("/metadata/uid").asText()).isNotEqualTo(oldUid);
        assertThat(job.at("/metadata/annotations/gitops-interlock.dev~1replaced")
                        .asText())
                .startsWith(oldUid + "/");
        assertThat(job.at("/spec/template/spec/containers/0/image").asText()).endsWith("migrate:" + version);
        assertThat(shop.jobs()).containsExactly("db-migrate");
    }

    /** The edit, made again, changes nothing; made after a deletion, it gives the same Job with the same owners. */
    private void assertLikeANewOne(Edit edit) throws IOException {
        var replaced = shop.job("db-migrate");
        edit.make().orFail();
        assertThat(shop.job("db-migrate")).as("the same again").isEqualTo(replaced);

        shop.kubectl("delete", "job", "db-migrate").orFail();
        edit.make().orFail();
        shop.awaitComplete("db-migrate");
        var fresh = shop.job("db-migrate");
        assertThat(Jobs.owners(replaced)).isEqualTo(Jobs.owners(fresh));
        assertThat(Jobs.content(replaced)).isEqualTo(Jobs.content(fresh));
    }

    /** The uids of the Jobs whose Pods run. */
    private String runningPods() {
        return shop.kubectl(
                        "get",
                        "pods",
                        "-o",
                        "jsonpath={.items[*].metadata.labels.batch\\.kubernetes\\.io/controller-uid}")
                .orFail()
                .out();
    }

    private void job(String manifest) throws IOException {
        Files.writeString(
                chart.resolve("templates/job.yaml"), manifest.replace("migrate:1.0", "migrate:{{ .Values.version }}"));
    }

    private Command.Result run(Helm helm, String command, String version, String... flags) {
        var arguments = Stream.concat(
                Stream.of(command, "shop", chart.toString(), "--set-string", "version=" + version), Stream.of(flags));
        return helm.run(shop, home, arguments.toArray(String[]::new)).orFail();
    }
}
