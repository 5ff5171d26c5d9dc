package dev.gitopsinterlock.tools.clients;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static dev.gitopsinterlock.testing.text.Manifests.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.RoundRobin;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The service is killed while a tool is at work, and comes back: plain Kubernetes answers in between. One story after
 * the other has it down; they wait side by side for what comes afterwards.
 */
@ExtendWith(Stories.class)
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServiceDownToolsIT {

    private static final String SITUATION = "gitops-interlock is killed in the middle, and started again";
    private static final String MANIFEST = Example.of("argocd-image-change").text("manifests/job.yaml");

    private final ControlPlane kubernetes = ControlPlane.start();
    private final RoundRobin address = RoundRobin.over();
    private final Registration registration = Registration.in(kubernetes);
    private final Lock service = new ReentrantLock();
    private Interlock interlock = start();

    @AfterAll
    void end() {
        interlock.close();
        address.close();
        kubernetes.close();
    }

    @Test
    void argoCd(Story story, @TempDir Path folder) {
        story.of(ArgoCd.words(), SITUATION, "client-side apply", "Replace");
        var shop = shop();
        var git = GitRepository.in(folder);
        try (var argoCd = ArgoCd.start(kubernetes)) {
            var app = argoCd.application(shop.namespace());
            var first = git.commit("job.yaml", inTheSecondWave(MANIFEST));
            app.deploy(
                    git,
                    shop.namespace(),
                    "{automated: {selfHeal: true}, retry: {limit: 50, backoff: {duration: 2s, factor: 1}}}");
            app.awaitSynced(first);
            git.commit("slow.yaml", running(JOB).replace("db-migrate", "slow"));
            var second = git.commit("job.yaml", edited(inTheSecondWave(MANIFEST)));
            app.refresh();
            shop.awaitActive("slow"); // the sync waits for it before it comes to the other Job
            var history = JobHistory.of(shop, "db-migrate");

            var words = alone(() -> {
                kill();
                shop.endPod("slow");
                app.await(
                        "refused by plain Kubernetes",
                        live -> live.at("/status/operationState/retryCount").asInt() > 0);
                var refusal = app.result("Job", "db-migrate").path("message").asText();
                interlock = start();
                app.awaitSynced(second);
                return refusal;
            });

            assertRecovered(history, words);
            story.shows("tries again, then " + app.status(), words, shop).job(history.outcome(), history.afterwards());
            app.delete();
        }
    }

    @Test
    @RequiresTools("flux")
    void flux(Story story, @TempDir Path folder) {
        story.of(Flux.words(), SITUATION, "wait: true", "Replace");
        var shop = shop();
        var git = GitRepository.in(folder);
        try (var flux = Flux.start(kubernetes)) {
            var kustomization = flux.kustomization(shop.namespace());
            var first = git.commit("job.yaml", MANIFEST);
            kustomization.deploy(git, shop.namespace(), "{wait: true}");
            kustomization.awaitReady(first);
            var history = JobHistory.of(shop, "db-migrate");

            var second = git.commit("job.yaml", edited(MANIFEST));
            var words = alone(() -> {
                kill();
                kustomization.publish(git);
                var refusal = kustomization.awaitFailed(second).message();
                interlock = start();
                kustomization.awaitReady(second);
                return refusal;
            });

            var ready = kustomization.awaitReady(second);
            assertRecovered(history, words);
            story.shows("tries again, then " + ready.words(), words, shop).job(history.outcome(), history.afterwards());
            kustomization.delete();
        }
    }

    @Test
    void helm(Story story, @TempDir Path home) {
        story.of(Helm.HELM_4.toString(), SITUATION, "helm upgrade", "Replace");
        var shop = shop();
        var chart = Chart.copy(Example.of("helm-release"), home.resolve("chart"));
        var folder = chart.folder().toString();
        chart.edit("values.yaml", "enabled: true", "enabled: false");
        Helm.HELM_4.run(shop, home, "install", "shop", folder).orFail();
        shop.awaitComplete("db-migrate");
        var history = JobHistory.of(shop, "db-migrate");

        chart.edit("values.yaml", "migrate:1.0", "migrate:1.1");
        var answers = alone(() -> {
            kill();
            var refused = Helm.HELM_4.run(shop, home, "upgrade", "shop", folder);
            interlock = start();
            return List.of(refused, Helm.HELM_4.run(shop, home, "upgrade", "shop", folder));
        });

        var words = answers.getFirst().text();
        assertRecovered(history, words);
        story.shows(
                        "exit code 1; after another upgrade exit code "
                                + answers.getLast().exitCode(),
                        words,
                        shop)
                .job(history.outcome(), history.afterwards());
    }

    private static String inTheSecondWave(String job) {
        return job.replace(
                "  name: db-migrate\n", "  name: db-migrate\n  annotations: {argocd.argoproj.io/sync-wave: \"1\"}\n");
    }

    /** Plain Kubernetes refused, and afterwards the change ran once. */
    private static void assertRecovered(JobHistory history, String words) {
        assertThat(words).contains("field is immutable").doesNotContain("gitops-interlock");
        history.awaitComplete("migrate:1.1");
        assertThat(history.newRuns()).isEqualTo(1);
    }

    /** While no other story has the service down. */
    private <T> T alone(Supplier<T> story) {
        service.lock();
        try {
            return story.get();
        } finally {
            service.unlock();
        }
    }

    private Workspace shop() {
        var shop = Workspace.in(kubernetes, "down");
        shop.onImmutableChange("Replace");
        return shop;
    }

    private Interlock start() {
        var started = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .start();
        address.add(started);
        registration.of(address.url(), 10, started);
        return started;
    }

    private void kill() {
        address.remove(interlock);
        interlock.process().destroyForcibly();
        interlock.awaitExit();
    }
}
