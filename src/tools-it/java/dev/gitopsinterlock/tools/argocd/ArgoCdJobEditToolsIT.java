package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cli.ClusterStatus;
import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoApplication;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The image of a plain Job changes in Git, in every way in which Argo CD applies, under every policy. */
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Stories.class})
class ArgoCdJobEditToolsIT {

    private static final String JOB = "db-migrate";
    private static final String POLICY =
            "{automated: {prune: true, selfHeal: true}, syncOptions: [%s], retry: {limit: 1, backoff: {duration: 1s}}}";

    private final Workspace shop;
    private final GitRepository git;
    private final ArgoApplication app;

    ArgoCdJobEditToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "argo-edit");
        git = GitRepository.in(folder);
        app = argoCd.application(shop.namespace());
    }

    @AfterEach
    void deleteApplication() {
        app.delete();
    }

    enum Mode {
        CLIENT_SIDE_APPLY("client-side apply", "", "", ""),
        SERVER_SIDE_APPLY("ServerSideApply=true", "ServerSideApply=true", "", ""),
        REPLACE("Replace=true", "Replace=true", "", ""),
        FORCE("Force=true on the Job", "", "", "Force=true"),
        FORCE_AND_REPLACE("Force=true,Replace=true on the Job", "", "", "Force=true,Replace=true"),
        SERVER_SIDE_DIFF("Server-Side Diff", "", "argocd.argoproj.io/compare-options: ServerSideDiff=true", ""),
        SERVER_SIDE_APPLY_AND_DIFF(
                "ServerSideApply=true, Server-Side Diff",
                "ServerSideApply=true",
                "argocd.argoproj.io/compare-options: ServerSideDiff=true",
                ""),
        APPLY_OUT_OF_SYNC_ONLY("ApplyOutOfSyncOnly=true", "ApplyOutOfSyncOnly=true", "", "");

        final String words;
        final String syncOptions;
        final String annotation;
        final String jobOptions;

        Mode(String words, String syncOptions, String annotation, String jobOptions) {
            this.words = words;
            this.syncOptions = syncOptions;
            this.annotation = annotation;
            this.jobOptions = jobOptions;
        }

        /** Deletes and creates a Job itself when Kubernetes refuses, or in any case. */
        boolean deletes() {
            return this == FORCE || this == FORCE_AND_REPLACE;
        }

        /** Asks the API server what would come out, before any sync. */
        boolean comparesOnTheServer() {
            return this == SERVER_SIDE_DIFF
                    || this == SERVER_SIDE_APPLY_AND_DIFF
                    || (this == SERVER_SIDE_APPLY && !ArgoCd.isBefore36());
        }
    }

    static Stream<Arguments> everyModeAndPolicy() {
        return Stream.of(Mode.values())
                .flatMap(mode -> Stream.of("Reject", "Replace", "Ignore").map(policy -> Arguments.of(mode, policy)));
    }

    @ParameterizedTest(name = "Argo CD, {0}, {1}", quoteTextArguments = false)
    @MethodSource("everyModeAndPolicy")
    @Execution(ExecutionMode.CONCURRENT)
    void theImageOfAJobChanges(Mode mode, String policy, Story story) {
        story.of(ArgoCd.words(), "the image of a Job changes", mode.words, policy);
        shop.onImmutableChange(policy);
        var first = commit("1.0", mode);
        app.deploy(git, shop.namespace(), POLICY.formatted(mode.syncOptions), mode.annotation);
        app.awaitSynced(first);

        if (policy.equals("Replace") || mode.deletes()) {
            everyChangeRunsItOnce(mode, story);
        } else {
            theChangeIsRefused(mode, policy, story);
        }
    }

    /** The sync failed as above; now the same commit again, with the annotation that is, or is not, the way out. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CLIENT_SIDE_APPLY          |                         | Force=true                       | Synced",
                "REPLACE                    |                         | Force=true,Replace=true          | Synced",
                "SERVER_SIDE_APPLY          | ApplyOutOfSyncOnly=true | Force=true,Replace=true          | Synced",
                "SERVER_SIDE_APPLY          |                         | ServerSideApply=false,Force=true | Synced",
                "SERVER_SIDE_APPLY          |                         | Force=true                       | OutOfSync",
                "SERVER_SIDE_DIFF           |                         | Force=true                       | Synced",
                "SERVER_SIDE_APPLY_AND_DIFF |                         | ServerSideApply=false,Force=true | Synced",
            })
    @Execution(ExecutionMode.CONCURRENT)
    void theJobIsAnnotated(Mode mode, @Nullable String more, String jobOptions, String status, Story story) {
        var options = Stream.of(mode.syncOptions, Objects.requireNonNullElse(more, ""))
                .filter(Predicate.not(String::isEmpty))
                .collect(Collectors.joining(", "));
        story.of(
                ArgoCd.words(),
                "the image of a Job changed and was refused, then the Job in Git is annotated with sync-options: "
                        + jobOptions,
                more == null ? mode.words : mode.words + ", " + more,
                "Reject");
        git.commit("job.yaml", job("1.0", ""));
        app.deploy(git, shop.namespace(), POLICY.formatted(options), mode.annotation);
        app.awaitSynced(git.head());
        var refused = git.commit("job.yaml", job("1.1", ""));
        app.refresh();
        app.awaitEnd(refused, "Failed");
        var history = JobHistory.of(shop, JOB);

        var annotated = git.commit("job.yaml", job("1.1", jobOptions));
        app.refresh();

        if (status.equals("Synced")) {
            app.awaitSynced(annotated);
            history.awaitComplete("migrate:1.1");
        } else {
            app.awaitEnd(annotated, "Failed");
        }
        var words = status.equals("Synced")
                ? app.message()
                : app.result("Job", JOB).path("message").asText();
        story.shows(app.status(), words, shop);
        assertThat(app.syncStatus()).isEqualTo(status);
        assertThat(history.newRuns()).isEqualTo(status.equals("Synced") ? 1 : 0);

        var outcome = history.outcome();
        var again = JobHistory.of(shop, JOB);
        app.sync(annotated);
        app.await("through with another sync", live -> !live.has("operation"));
        story.job(outcome + "; another sync: " + again.outcome(), again.afterwards());
    }

    private void everyChangeRunsItOnce(Mode mode, Story story) {
        for (var version : List.of("1.1", "1.2")) {
            var history = JobHistory.of(shop, JOB);
            var commit = commit(version, mode);
            app.refresh();

            app.awaitSynced(commit);
            history.awaitComplete("migrate:" + version);
            app.awaitSynced(commit);
            assertThat(history.newRuns()).isEqualTo(1);
            assertThat(app.conditions()).isEmpty();
            story.shows(app.status(), app.message(), shop)
                    .job(history.outcome(), version.equals("1.2") ? history.afterwards() : "");
            assertThat(app.status()).isEqualTo("Synced, Healthy; sync Succeeded");
        }
    }

    private void theChangeIsRefused(Mode mode, String policy, Story story) {
        var history = JobHistory.of(shop, JOB);
        var commit = commit("1.1", mode);
        app.refresh();

        // argoproj/argo-cd#28722: a refusal while it compares is forgotten, so that is shown a drift in its place
        var isForgotten = mode.comparesOnTheServer() && policy.equals("Ignore");
        if (!isForgotten) {
            app.awaitEnd(commit, "Failed");
        }
        var expected = isForgotten ? "ComparisonError" : "SyncError";
        var refused = app.await(
                "told of the " + expected,
                live -> live.at("/status/conditions").findValuesAsText("type").contains(expected));
        var words = isForgotten ? String.join("\n", ArgoApplication.conditions(refused)) : app.message();
        if (policy.equals("Reject")) {
            assertThat(words).contains("denied the request: ", ". ArgoCd").doesNotContain("map[", "Invalid value");
            statusShowsIt();
        }
        assertThat(history.newRuns()).isZero();
        var status = ArgoApplication.status(refused);
        if (isForgotten) {
            // it takes the commit for compared, and the old Job for what the commit says
            var next = app.await(
                    "compared again", live -> live.at("/status/conditions").isEmpty());
            status +=
                    "; at the next comparison " + next.at("/status/sync/status").asText() + ", without a word";
        }
        story.shows(status, words, shop).job(history.outcome(), history.afterwards());
        assertThat(app.conditions().isEmpty()).as("silent a minute later").isEqualTo(isForgotten);
    }

    /** Between two tries the Application has no words. */
    private void statusShowsIt() {
        await("gitops-interlock status shows it")
                .atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(ClusterStatus.of(shop.controlPlane()))
                        .containsPattern(
                                "  Application argocd/%s\n    Job %s/%s cannot change, .*: ArgoCd[A-Za-z]+\n    [A-Z]"
                                        .formatted(shop.namespace(), shop.namespace(), JOB)));
    }

    private String commit(String version, Mode mode) {
        return git.commit("job.yaml", job(version, mode.jobOptions));
    }

    private static String job(String version, String options) {
        ObjectNode job = Example.of("argocd-image-change").object("manifests/job.yaml");
        if (!options.isEmpty()) {
            job.withObject("/metadata/annotations").put("argocd.argoproj.io/sync-options", options);
        }
        ((ObjectNode) job.at("/spec/template/spec/containers/0"))
                .put("image", "registry.example/shop/migrate:" + version);
        return Trees.yaml(job);
    }
}
