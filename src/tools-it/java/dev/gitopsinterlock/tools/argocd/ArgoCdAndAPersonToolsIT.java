package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoApplication;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A Job that Argo CD keeps as it is in Git, and that a person with kubectl edits too. */
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Stories.class})
class ArgoCdAndAPersonToolsIT {

    private static final String JOB = "db-migrate";
    private static final String SITUATION = "a person edits the Job of an Application with kubectl";
    private static final Duration SETTLED = Duration.ofSeconds(6);
    private static final int ROUNDS = 5;

    private final Workspace shop;
    private final GitRepository git;
    private final ArgoApplication app;
    private final String manifest = Example.of("argocd-image-change").text("manifests/job.yaml");

    ArgoCdAndAPersonToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "two-writers");
        git = GitRepository.in(folder);
        app = argoCd.application(shop.namespace());
    }

    @AfterEach
    void deleteApplication() {
        app.delete();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void thePersonIsSentToGit(Story story) {
        story.of(ArgoCd.words(), SITUATION, "client-side apply", "Reject");
        deploy("Reject");
        var history = JobHistory.of(shop, JOB);

        var answer = setImage("by-hand");

        assertThat(answer.text()).contains("ArgoCdOwnedJobEdit");
        story.shows("kubectl: exit code " + answer.exitCode(), answer.text(), shop)
                .job(history.outcome(), history.afterwards());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void gitWins(Story story) {
        story.of(ArgoCd.words(), SITUATION, "client-side apply, selfHeal", "Replace");
        deploy("Replace");
        shop.awaitFinishedFor(JOB, SETTLED); // a pause between delete and create would let Argo CD create its own
        var history = JobHistory.of(shop, JOB);

        var answer = setImage("by-hand");

        assertThat(answer.exitCode()).as(answer.text()).isZero();
        app.await(
                "healed",
                live -> shop.jobs().contains(JOB)
                        && image().endsWith("migrate:1.0")
                        && live.at("/status/sync/status").asText().equals("Synced"));
        history.awaitComplete("migrate:1.0");
        app.awaitSynced(git.head());
        assertThat(history.newRuns())
                .as("the person's and Git's; %s", shop.changes())
                .isEqualTo(2);
        story.shows(app.status(), answer.text(), shop).job(history.outcome(), history.afterwards());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void bothAtTheSameMoment(Story story) {
        story.of(
                ArgoCd.words(),
                "a person edits the Job while a commit that changes it is synced, five times",
                "client-side apply, selfHeal",
                "Replace");
        deploy("Replace");
        var history = JobHistory.of(shop, JOB);

        for (int round = 1; round <= ROUNDS; round++) {
            var version = "2." + round;
            var commit = git.commit("job.yaml", manifest.replace("1.0", version));
            var person = CompletableFuture.supplyAsync(() -> setImage("by-hand-" + version));
            app.refresh();
            person.join();
            app.awaitSynced(commit);
            history.awaitComplete("migrate:" + version);
            app.awaitSynced(commit);
        }

        story.shows(app.status(), app.message(), shop)
                .job("Git's in the end; every Job that there was ran once", history.afterwards());
        assertThat(image()).endsWith("migrate:2." + ROUNDS);
        assertThat(history.created("pods")).as("%s", shop.changes()).isEqualTo(history.created("jobs"));
        assertThat(shop.changes())
                .filteredOn(change -> change.resource().equals("jobs"))
                .allMatch(change -> change.code() < 500);
    }

    private void deploy(String policy) {
        shop.onImmutableChange(policy);
        var commit = git.commit("job.yaml", manifest);
        app.deploy(git, shop.namespace(), "{automated: {prune: true, selfHeal: true}}");
        app.awaitSynced(commit);
    }

    private Command.Result setImage(String version) {
        return shop.kubectl("set", "image", "job/" + JOB, "migrate=registry.example/shop/migrate:" + version);
    }

    private String image() {
        return shop.findJob(JOB).at("/spec/template/spec/containers/0/image").asText();
    }
}
