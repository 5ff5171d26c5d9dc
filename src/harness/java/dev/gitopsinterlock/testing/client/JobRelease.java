package dev.gitopsinterlock.testing.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Example;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A release of a Job by a tool, in a workspace where edits are carried out. Both ways of deploying come back when the
 * tool says that it is done.
 *
 * @param deploy deploys a version of the Job
 * @param deployAgain the same manifest once more
 * @param end has the tool forget it
 */
public record JobRelease(Workspace shop, Consumer<String> deploy, Consumer<String> deployAgain, Runnable end)
        implements AutoCloseable {

    public static final String JOB = "db-migrate";

    /** How Argo CD compares and applies. */
    public enum ArgoCdMode {
        CLIENT_SIDE("client-side apply", "", ""),
        SERVER_SIDE_DIFF("Server-Side Diff", "ServerSideDiff=true", ""),
        SERVER_SIDE_APPLY("ServerSideApply=true, Server-Side Diff", "ServerSideDiff=true", "ServerSideApply=true");

        private final String words;
        private final String compareOptions;
        private final String syncOptions;

        ArgoCdMode(String words, String compareOptions, String syncOptions) {
            this.words = words;
            this.compareOptions = compareOptions;
            this.syncOptions = syncOptions;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** By a client that knows no more of it than what it is told. */
    public static JobRelease by(Workspace shop, Consumer<String> deploy, Consumer<String> deployAgain) {
        return new JobRelease(shop, deploy, deployAgain, () -> {});
    }

    public static JobRelease byHelm(Helm helm, Workspace shop, Path folder) {
        Consumer<String> upgrade =
                version -> upgrade(helm, shop, folder, version).orFail();
        return by(shop, upgrade, upgrade);
    }

    /** What Helm says to an upgrade, or to the installation if there is none yet. */
    public static Command.Result upgrade(Helm helm, Workspace shop, Path folder, String version) {
        var chart = Chart.copy(Example.of("helm-release"), folder.resolve("chart"));
        return helm.run(
                shop,
                folder,
                "upgrade",
                "--install",
                "shop",
                chart.folder().toString(),
                "--set=smokeTest.enabled=false",
                "--set=migrate.image=" + image(version));
    }

    public static JobRelease byFleet(ControlPlane kubernetes, Workspace shop, Path folder) {
        var fleet = FleetAgent.of(kubernetes, shop, folder.resolve("agent"));
        var bundle = Chart.copy(Example.of("helm-release"), folder.resolve("bundle"));
        Consumer<String> deploy = version -> {
            bundle.write("fleet.yaml", """
                    helm:
                      releaseName: shop
                      values:
                        migrate: {image: "%s"}
                        smokeTest: {enabled: false}
                    """.formatted(image(version)));
            fleet.deploy(bundle).orFail();
        };
        return by(shop, deploy, deploy);
    }

    /**
     * By commits, which Argo CD syncs by itself.
     *
     * @param seesDrift whether it is never content with what others made of the Job, and heals in vain
     */
    public static JobRelease byArgoCd(ArgoCd argoCd, ArgoCdMode mode, boolean seesDrift, Workspace shop, Path folder) {
        var git = GitRepository.in(folder);
        var app = argoCd.application(shop.namespace());
        Consumer<String> publish = version -> {
            git.commit("job.yaml", manifest(version));
            app.deploy(
                    git,
                    shop.namespace(),
                    "{automated: {selfHeal: true}, syncOptions: [%s]}".formatted(mode.syncOptions),
                    "argocd.argoproj.io/compare-options: '%s'".formatted(mode.compareOptions));
            app.refresh();
        };
        return seesDrift
                ? new JobRelease(
                        shop,
                        publish.andThen(_ -> app.awaitEnd(git.head(), "Succeeded")),
                        _ -> awaitHealedInVain(app, git.head()),
                        app::delete)
                : new JobRelease(
                        shop,
                        publish.andThen(_ -> app.awaitSynced(git.head())),
                        _ -> {
                            app.sync(git.head());
                            app.awaitEnd(git.head(), "Succeeded");
                            app.refresh();
                            app.awaitSynced(git.head());
                        },
                        app::delete);
    }

    private static void awaitHealedInVain(ArgoApplication app, String commit) {
        app.awaitEnd(commit, "Succeeded");
        app.await(
                "healed in vain",
                live -> live.at("/status/operationState/operation/sync/autoHealAttemptsCount")
                                        .asInt()
                                > 0
                        && app.status().equals("OutOfSync, Healthy; sync Succeeded"));
    }

    public static JobRelease byFlux(Flux flux, Workspace shop, Path folder) {
        var git = GitRepository.in(folder);
        var kustomization = flux.kustomization(shop.namespace());
        return new JobRelease(
                shop,
                version -> {
                    git.commit("job.yaml", manifest(version));
                    kustomization.deploy(git, shop.namespace(), "{wait: true}");
                    kustomization.awaitReady(git.head());
                },
                _ -> {
                    kustomization.reconcile();
                    kustomization.awaitReady(git.head());
                },
                kustomization::delete);
    }

    public static String image(String version) {
        return "registry.example/shop/migrate:" + version;
    }

    public static String manifest(String version) {
        return Example.of("argocd-image-change").text("manifests/job.yaml").replace(image("1.0"), image(version));
    }

    /**
     * Fails unless each edit replaces the Job and runs it once, and the same manifest again does nothing.
     *
     * @param first how often the first version runs when it is deployed and deployed again
     * @param awaitEnd waits until a version is complete, as others let it be
     */
    public void assertEachEditRunsTheJobOnce(int first, BiConsumer<JobHistory, String> awaitEnd) {
        shop.onImmutableChange("Replace");
        var all = JobHistory.of(shop, JOB);
        deploy.accept("1.0");
        awaitEnd.accept(all, "1.0");
        deployAgain.accept("1.0");
        awaitEnd.accept(all, "1.0");
        assertThat(all.newRuns()).as("runs of the first version").isEqualTo(first);

        for (var version : List.of("1.1", "1.2", "1.1")) {
            var old = shop.uid(JOB);
            var history = JobHistory.of(shop, JOB);

            deploy.accept(version);
            var uid = shop.uid(JOB);
            assertThat(shop.job(JOB)
                            .at("/metadata/annotations/gitops-interlock.dev~1replaced")
                            .asText())
                    .as("the Job whose place it took")
                    .startsWith(old + "/");
            deployAgain.accept(version);
            awaitEnd.accept(history, version);
            assertThat(shop.uid(JOB)).as("the same manifest again").isEqualTo(uid);
            assertThat(history.newRuns()).isEqualTo(1);
        }

        deployAgain.accept("1.1");
        assertThat(all.newRuns()).isEqualTo(first + 3);
    }

    @Override
    public void close() {
        end.run();
    }
}
