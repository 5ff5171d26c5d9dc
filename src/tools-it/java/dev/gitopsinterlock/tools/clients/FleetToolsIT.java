package dev.gitopsinterlock.tools.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.client.FleetAgent;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What Fleet does with bundles, done by Helm 4 as Fleet's agent would. */
@ExtendWith({Cluster.Extension.class, Stories.class})
class FleetToolsIT {

    private static final String TTL = "ttlSecondsAfterFinished";

    private final Workspace shop;
    private final FleetAgent fleet;
    private final Path home;

    FleetToolsIT(Cluster cluster, @TempDir Path home) {
        shop = Workspace.in(cluster.controlPlane(), "fleet");
        fleet = FleetAgent.of(cluster.controlPlane(), shop, home.resolve("agent"));
        this.home = home;
    }

    /** What a commit changes in a bundle. */
    enum Change {
        IMAGE("the image of a Job changes", "fleet.yaml", ":1.0", ":1.1"),
        VERSION("something else in the bundle changes", "Chart.yaml", "1.0.0", "1.0.1");

        private final String words;
        private final String file;
        private final String old;
        private final String replacement;

        Change(String words, String file, String old, String replacement) {
            this.words = words;
            this.file = file;
            this.old = old;
            this.replacement = replacement;
        }

        void in(Chart bundle) {
            bundle.edit(file, old, replacement);
        }

        /** Of the report's Job afterwards. */
        String image() {
            return this == IMAGE ? "report:1.1" : "report:1.0";
        }
    }

    @ParameterizedTest(name = "Fleet, helm.force: {0}, {1}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @CsvSource({"false, Reject", "false, Replace", "false, Ignore", "true, Reject", "true, Replace", "true, Ignore"})
    void theImageOfAJobChanges(boolean force, String policy, Story story) {
        story.of(FleetAgent.words(), Change.IMAGE.words, force ? "helm.force: true" : "fixed name", policy);
        shop.onImmutableChange(policy);
        var bundle = release(force);
        fleet.deploy(bundle).orFail();
        shop.awaitComplete("db-migrate");
        assertThat(Jobs.owners(shop.job("db-migrate"))).containsKey(force ? "fleetagent Update " : "fleetagent Apply ");

        var history = JobHistory.of(shop, "db-migrate");
        Change.IMAGE.in(bundle);
        var answer = fleet.deploy(bundle);

        if (policy.equals("Replace")) {
            history.awaitComplete("migrate:1.1");
            assertThat(answer.orFail().text()).contains("Job db-migrate was replaced and runs again");
            assertThat(history.newRuns()).isEqualTo(1);
        } else {
            assertRefused(bundle, answer, policy.equals("Reject") ? "FleetJobEdit" : "", history);
        }
        tell(story, answer, history);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aJobThatDidNotChangeStays(Story story) {
        story.of(FleetAgent.words(), Change.VERSION.words, "fixed name", "Reject");
        var bundle = release(false);
        fleet.deploy(bundle).orFail();
        shop.awaitComplete("db-migrate");

        var history = JobHistory.of(shop, "db-migrate");
        Change.VERSION.in(bundle);
        var answer = fleet.deploy(bundle).orFail();

        assertThat(history.newRuns()).isZero();
        tell(story, answer, history);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aJobThatRemovesItselfIsAdvisedAgainst(Story story) {
        story.of(FleetAgent.words(), "a Job is created", TTL, "Reject");
        var history = JobHistory.of(shop, "report");
        var answer = fleet.deploy(bundle("fleet-ttl-job")).orFail();

        history.awaitComplete("report:1.0");
        assertThat(answer.text()).contains("Warning: remove spec.ttlSecondsAfterFinished: ");
        tellOnceGone(story, answer, history);
    }

    @ParameterizedTest(name = "Fleet, {0}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @EnumSource
    void aJobThatIsGoneRunsAgainWhateverChanges(Change change, Story story) {
        story.of(FleetAgent.words(), change.words, TTL + ", the Job is gone", "Reject");
        var bundle = bundle("fleet-ttl-job");
        fleet.deploy(bundle).orFail();
        awaitGone();

        var history = JobHistory.of(shop, "report");
        change.in(bundle);
        var answer = fleet.deploy(bundle).orFail();

        history.awaitComplete(change.image());
        assertThat(history.newRuns()).isEqualTo(1);
        tellOnceGone(story, answer, history);
    }

    @ParameterizedTest(name = "Fleet, {0}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @CsvSource({"Reject, FleetJobEdit", "Replace, ReplaceActiveJob", "Ignore, ''"})
    void aJobThatWillRemoveItselfIsStillThere(String policy, String code, Story story) {
        story.of(FleetAgent.words(), Change.IMAGE.words, TTL + ", the Job still runs", policy);
        shop.onImmutableChange(policy);
        var bundle = bundle("fleet-ttl-job");
        bundle.labelPods("templates/report.yaml", "testbed.gitops-interlock.dev/outcome: run");
        fleet.deploy(bundle).orFail();
        shop.awaitActive("report");

        var history = JobHistory.of(shop, "report");
        Change.IMAGE.in(bundle);
        var answer = fleet.deploy(bundle);

        assertRefused(bundle, answer, code, history);
        tell(story, answer, history);
    }

    @ParameterizedTest(name = "Fleet, {0}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @EnumSource
    void aJobWithARandomNameRunsWhateverChanges(Change change, Story story) {
        story.of(FleetAgent.words(), change.words, "randAlphaNum in the name", "Reject");
        var bundle = bundle("fleet-random-name");
        assertThat(fleet.deploy(bundle).orFail().text()).doesNotContain("warnings.go");
        var old = shop.jobs().getFirst();
        shop.awaitComplete(old);

        var history = JobHistory.of(shop, old);
        change.in(bundle);
        var answer = fleet.deploy(bundle).orFail();

        var jobs = shop.jobs();
        assertThat(jobs).hasSize(1).doesNotContain(old);
        shop.awaitComplete(jobs.getFirst());
        assertThat(history.newRuns()).isEqualTo(1);
        var image = shop.job(jobs.getFirst())
                .at("/spec/template/spec/containers/0/image")
                .asText();
        assertThat(image).endsWith(change.image());
        story.shows("exit code 0", answer.text(), shop)
                .job(
                        "another with %s; the old one %s".formatted(change.image(), history.outcome()),
                        history.afterwards());
    }

    /** A release as Helm has it, in a bundle. */
    private Chart release(boolean force) {
        var bundle = bundle("helm-release");
        bundle.write("fleet.yaml", """
                helm:
                  releaseName: shop
                  force: %s
                  values:
                    migrate: {image: registry.example/shop/migrate:1.0}
                    smokeTest: {enabled: false}
                """.formatted(force));
        return bundle;
    }

    private Chart bundle(String example) {
        return Chart.copy(Example.of(example), home.resolve("bundle"));
    }

    private void awaitGone() {
        await("no Job").atMost(Patience.LIMIT).until(() -> shop.jobs().isEmpty());
    }

    /** The agent tries again, and gets the same answer. */
    private void assertRefused(Chart bundle, Command.Result answer, String code, JobHistory history) {
        assertThat(answer.exitCode()).isEqualTo(1);
        if (!code.isEmpty()) {
            assertThat(answer.err())
                    .contains("denied the request: ", ". " + code)
                    .doesNotContain("map[", "Invalid value");
        }
        assertThat(fleet.deploy(bundle)).isEqualTo(answer);
        assertThat(history.newRuns()).isZero();
    }

    private void tellOnceGone(Story story, Command.Result answer, JobHistory history) {
        var outcome = history.outcome();
        awaitGone();
        story.shows("exit code 0", answer.text(), shop).job(outcome + ", gone after its TTL", history.afterwards());
    }

    private void tell(Story story, Command.Result answer, JobHistory history) {
        story.shows("exit code " + answer.exitCode(), answer.text(), shop).job(history.outcome(), history.afterwards());
    }
}
