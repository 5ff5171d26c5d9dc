package dev.gitopsinterlock.tools.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A release with a plain Job and a hook, upgraded and rolled back by both Helms, under every policy. */
@ExtendWith({Cluster.Extension.class, Stories.class})
class HelmToolsIT {

    private static final String SMOKE_TEST = "templates/smoke-test.yaml";

    private final Workspace shop;
    private final Path home;
    private final Chart chart;

    HelmToolsIT(Cluster cluster, @TempDir Path home) {
        shop = Workspace.in(cluster.controlPlane(), "helm-release");
        this.home = home;
        chart = Chart.copy(Example.of("helm-release"), home.resolve("chart"));
    }

    static Stream<Arguments> everyHelmAndPolicy() {
        return Stream.of(Helm.values())
                .flatMap(helm -> Stream.of("Reject", "Replace", "Ignore").map(policy -> Arguments.of(helm, policy)));
    }

    @ParameterizedTest(name = "{0}, {1}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("everyHelmAndPolicy")
    void theImageOfAJobChanges(Helm helm, String policy, Story story) {
        editByUpgrade(helm, policy, story, "helm upgrade");
    }

    /** Helm 4 has another word for it, and none where it applies by the server. */
    @ParameterizedTest(name = "{0}, {1}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("everyHelmAndPolicy")
    void theImageOfAJobChangesInAForcedUpgrade(Helm helm, String policy, Story story) {
        var force = helm == Helm.HELM_3 ? "--force" : "--force-replace --server-side=false";
        editByUpgrade(helm, policy, story, "helm upgrade " + force);
    }

    @ParameterizedTest(name = "{0}")
    @Execution(ExecutionMode.CONCURRENT)
    @EnumSource
    void anUpgradeWaitsForTheNewJob(Helm helm, Story story) {
        chart.labelPods("templates/migrate.yaml", "testbed.gitops-interlock.dev/after: 2s");
        editByUpgrade(helm, "Replace", story, "helm upgrade --wait --wait-for-jobs");
    }

    private void editByUpgrade(Helm helm, String policy, Story story, String command) {
        story.of(helm.toString(), "the image of a Job changes", command, policy);
        withoutHook(policy);
        install(helm);
        shop.awaitComplete("db-migrate");

        var history = JobHistory.of(shop, "db-migrate");
        chart.edit("values.yaml", "migrate:1.0", "migrate:1.1");
        var flags = command.replace("helm upgrade", "").strip();
        var answer = upgrade(helm, flags.isEmpty() ? new String[0] : flags.split(" ", -1));

        if (command.contains("--wait-for-jobs")) {
            assertThat(shop.isComplete("db-migrate")).isTrue();
        }
        assertEdited(answer, policy, history, "migrate:1.1");
        tell(story, helm, answer, history);
    }

    @ParameterizedTest(name = "{0}, {1}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("everyHelmAndPolicy")
    void aReleaseIsRolledBack(Helm helm, String policy, Story story) {
        story.of(helm.toString(), "a release is rolled back", "helm rollback", policy);
        withoutHook(policy);
        install(helm);
        shop.awaitComplete("db-migrate");
        // what the advice says; with the Pods, or the new Job may get stuck (kubernetes/kubernetes#142142)
        shop.kubectl("delete", "job", "db-migrate", "--cascade=foreground").orFail();
        chart.edit("values.yaml", "migrate:1.0", "migrate:1.1");
        upgrade(helm).orFail();
        shop.awaitComplete("db-migrate");

        var history = JobHistory.of(shop, "db-migrate");
        var answer = helm.run(shop, home, "rollback", "shop", "1");

        assertEdited(answer, policy, history, "migrate:1.0");
        tell(story, helm, answer, history);
    }

    @ParameterizedTest(name = "{0}, {1}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("everyHelmAndPolicy")
    void theImageOfAHookChanges(Helm helm, String policy, Story story) {
        story.of(helm.toString(), "the image of a hook changes", "before-hook-creation", policy);
        shop.onImmutableChange(policy);
        install(helm);
        shop.awaitComplete("db-migrate");

        var unchanged = JobHistory.of(shop, "smoke-test");
        upgrade(helm).orFail();
        assertThat(unchanged.newRuns()).isEqualTo(1);
        var history = JobHistory.of(shop, "smoke-test");
        chart.edit("values.yaml", "smoke-test:1.0", "smoke-test:1.1");
        var answer = upgrade(helm).orFail();

        history.awaitComplete("smoke-test:1.1");
        assertThat(history.newRuns()).isEqualTo(1);
        assertThat(answer.text()).doesNotContain("warnings.go");
        tell(story, helm, answer, history);
    }

    /** It is deleted only after a success, so that the next one finds it. */
    @ParameterizedTest(name = "{0}, {1}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("everyHelmAndPolicy")
    void aHookThatFailedIsInTheWayOfTheNext(Helm helm, String policy, Story story) {
        story.of(helm.toString(), "the image of a hook changes", "hook-succeeded alone, after a failure", policy);
        shop.onImmutableChange(policy);
        chart.edit(SMOKE_TEST, "before-hook-creation", "hook-succeeded");
        chart.labelPods(SMOKE_TEST, "testbed.gitops-interlock.dev/after: 3s");
        install(helm);
        shop.awaitComplete("db-migrate");
        var working = chart.text(SMOKE_TEST);
        chart.edit(SMOKE_TEST, "backoffLimit: 0", "backoffLimit: 0\n  activeDeadlineSeconds: 1");
        assertThat(upgrade(helm).exitCode()).isEqualTo(1);

        var history = JobHistory.of(shop, "smoke-test");
        chart.write(SMOKE_TEST, working);
        chart.edit("values.yaml", "smoke-test:1.0", "smoke-test:1.1");
        var answer = upgrade(helm);

        boolean replaced = helm == Helm.HELM_4 && policy.equals("Replace");
        assertThat(answer.exitCode()).as(answer.text()).isEqualTo(replaced ? 0 : 1);
        assertThat(history.newRuns()).isEqualTo(replaced ? 1 : 0);
        assertThat(answer.text().contains("HelmHookJobEdit")).isEqualTo(helm == Helm.HELM_4 && policy.equals("Reject"));
        tell(story, helm, answer, history);
    }

    /** It is deleted only after a failure, so that the next one finds it. */
    @ParameterizedTest(name = "{0}")
    @Execution(ExecutionMode.CONCURRENT)
    @EnumSource
    void aHookThatSucceededIsInTheWayOfTheNext(Helm helm, Story story) {
        story.of(helm.toString(), "a hook is to run again unchanged", "hook-failed alone, after a success", "Reject");
        shop.onImmutableChange("Reject");
        chart.edit(SMOKE_TEST, "before-hook-creation", "hook-failed");
        install(helm);
        shop.awaitComplete("db-migrate");

        var history = JobHistory.of(shop, "smoke-test");
        var answer = upgrade(helm);

        assertThat(answer.exitCode()).as(answer.text()).isEqualTo(helm == Helm.HELM_4 ? 0 : 1);
        assertThat(history.newRuns()).isZero();
        tell(story, helm, answer, history);
    }

    private void withoutHook(String policy) {
        shop.onImmutableChange(policy);
        chart.edit("values.yaml", "enabled: true", "enabled: false");
    }

    private void install(Helm helm) {
        helm.run(shop, home, "install", "shop", chart.folder().toString()).orFail();
    }

    private Command.Result upgrade(Helm helm, String... flags) {
        var arguments =
                Stream.concat(Stream.of("upgrade", "shop", chart.folder().toString()), Stream.of(flags));
        return helm.run(shop, home, arguments.toArray(String[]::new));
    }

    private static void assertEdited(Command.Result answer, String policy, JobHistory history, String image) {
        if (policy.equals("Replace")) {
            history.awaitComplete(image);
            assertThat(answer.orFail().text()).contains("Job db-migrate was replaced and runs again");
            assertThat(history.newRuns()).isEqualTo(1);
            return;
        }
        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(history.newRuns()).isZero();
        if (policy.equals("Reject")) {
            assertThat(answer.text())
                    .contains("denied the request: ", ". Helm")
                    .doesNotContain("map[", "Invalid value");
        }
    }

    private void tell(Story story, Helm helm, Command.Result answer, JobHistory history) {
        var release = Trees.json(helm.run(shop, home, "status", "shop", "-o", "json")
                .orFail()
                .out()
                .getBytes(UTF_8));
        story.shows(
                        "exit code %d, release %s"
                                .formatted(
                                        answer.exitCode(),
                                        release.at("/info/status").asText()),
                        answer.text(),
                        shop)
                .job(history.outcome(), history.afterwards());
    }
}
