package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoApplication;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Manifests;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Jobs under Argo CD that have no name or do not stay: what people do to get around what cannot be changed. */
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Stories.class})
class ArgoCdUnusualJobsToolsIT {

    private final Workspace shop;
    private final GitRepository git;
    private final ArgoApplication app;

    ArgoCdUnusualJobsToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "argo-unusual");
        git = GitRepository.in(folder);
        app = argoCd.application(shop.namespace());
    }

    @AfterEach
    void deleteApplication() {
        app.delete();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aJobWithoutANameIsAddedAtEachSync(Story story) {
        story.of(ArgoCd.words(), "a Job with generateName alone, synced twice", "Replace=true", "Reject");
        var commit = git.commit(Example.of("argocd-standalone-job").texts("manifests"));
        app.deploy(git, shop.namespace(), "{syncOptions: [Replace=true]}");

        for (int jobs = 1; jobs <= 2; jobs++) {
            app.sync(commit);
            app.awaitEnd(commit, "Succeeded");
            assertThat(shop.jobs()).hasSize(jobs);
        }

        app.await("compared", live -> live.at("/status/sync/status").asText().equals("OutOfSync"));
        shop.jobs().forEach(shop::awaitComplete);
        shop.awaitAdvice(shop.jobs().getLast(), "give the Job a metadata.name or make it a hook");
        var history = JobHistory.of(shop, shop.jobs().getLast());
        story.shows(app.status(), words(), shop).job("two Jobs, each run once", history.afterwards());
        assertThat(app.syncStatus()).isEqualTo("OutOfSync");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aJobWithoutANameIsAddedWithoutEndWhereArgoCdHealsItself(Story story) {
        story.of(ArgoCd.words(), "a Job with generateName alone, with selfHeal", "Replace=true", "Reject");
        git.commit(Example.of("argocd-standalone-job").texts("manifests"));

        app.deploy(git, shop.namespace(), "{automated: {selfHeal: true}, syncOptions: [Replace=true]}");

        await("many Jobs").atMost(Patience.LIMIT).until(() -> shop.jobs().size() >= 3);
        story.shows(app.syncStatus(), words(), shop).job("a further one every few seconds", "the same");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aJobThatIsGoneIsMissed(Story story) {
        story.of(ArgoCd.words(), "a Job with a TTL is removed", "client-side apply", "Reject");
        var commit = git.commit(Example.of("argocd-ttl-job").texts("manifests"));
        app.deploy(git, shop.namespace(), "{automated: {}}");
        app.awaitEnd(commit, "Succeeded");
        shop.awaitAdvice("cleanup", "remove spec.ttlSecondsAfterFinished");
        var history = JobHistory.of(shop, "cleanup");

        app.await(
                "missing its Job",
                live -> live.at("/status/sync/status").asText().equals("OutOfSync")
                        && live.at("/status/health/status").asText().equals("Missing"));
        story.shows(app.status(), words(), shop).job(history.outcome(), history.afterwards());
        assertThat(history.newRuns()).isZero();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aJobThatIsGoneRunsAgainAndAgainWhereArgoCdHealsItself(Story story) {
        story.of(ArgoCd.words(), "a Job with a TTL is removed, with selfHeal", "client-side apply", "Reject");
        git.commit(Example.of("argocd-ttl-job").texts("manifests"));
        app.deploy(git, shop.namespace(), "{automated: {selfHeal: true}}");
        var history = JobHistory.of(shop, "cleanup");

        await("runs").atMost(Patience.LIMIT).until(() -> history.newRuns() >= 3);
        story.shows("Synced and OutOfSync in turns", words(), shop)
                .job("created again each time it is gone, and run", "the same");
    }

    /** What {@code check --sync-options RespectIgnoreDifferences=true} leaves out is never sent. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void whatTheJobHasArgoCdIgnoreIsNotSent(Story story) {
        assumeThat(ArgoCd.isBefore36())
                .as("Argo CD reads the annotation from 3.6 on")
                .isFalse();
        story.of(
                ArgoCd.words(),
                "the image of a Job with argocd.argoproj.io/ignore-differences for it changes, and a label",
                "RespectIgnoreDifferences=true",
                "Reject");
        shop.onImmutableChange("Reject");
        var job = Manifests.annotated(
                Manifests.JOB,
                "argocd.argoproj.io/ignore-differences: 'jsonPointers: [/spec/template/spec/containers/0]'");
        git.commit("job.yaml", job);
        app.deploy(git, shop.namespace(), "{automated: {}, syncOptions: [RespectIgnoreDifferences=true]}");
        app.awaitSynced(git.head());
        var history = JobHistory.of(shop, "db-migrate");

        var commit = git.commit("job.yaml", Manifests.edited(job).replace("labels: {}", "labels: {release: next}"));
        app.refresh();

        app.awaitSynced(commit);
        story.shows(app.status(), app.message(), shop).job(history.outcome(), history.afterwards());
        assertThat(shop.job("db-migrate").at("/metadata/labels/release").asText())
                .isEqualTo("next");
        assertThat(history.newRuns()).isZero();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aTestOfAChartIsNotApplied() {
        git.commit(
                "test.yaml", Manifests.annotated(Manifests.JOB.replace("db-migrate", "smoke"), "helm.sh/hook: test"));
        var commit = git.commit("job.yaml", Manifests.JOB);
        app.deploy(git, shop.namespace(), "{automated: {}}");
        app.awaitEnd(commit, "Succeeded");

        assertThat(shop.jobs()).containsExactly("db-migrate");
    }

    /** About the one object of the Application, whose name may be generated; an operation that just began has none. */
    private String words() {
        var message = "/status/operationState/syncResult/resources/0/message";
        return app.await(
                        "through with its Job",
                        live -> !live.at(message).asText().isEmpty())
                .at(message)
                .asText()
                .replaceFirst("report-\\w{5}", "report-...");
    }
}
