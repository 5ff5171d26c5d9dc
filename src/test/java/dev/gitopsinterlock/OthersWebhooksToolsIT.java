package dev.gitopsinterlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.scenario.Stories;
import dev.gitopsinterlock.testing.ArgoApplication;
import dev.gitopsinterlock.testing.ArgoCd;
import dev.gitopsinterlock.testing.Chart;
import dev.gitopsinterlock.testing.Cluster;
import dev.gitopsinterlock.testing.Example;
import dev.gitopsinterlock.testing.FleetAgent;
import dev.gitopsinterlock.testing.Flux;
import dev.gitopsinterlock.testing.GitRepository;
import dev.gitopsinterlock.testing.Helm;
import dev.gitopsinterlock.testing.JobHistory;
import dev.gitopsinterlock.testing.OthersWebhook;
import dev.gitopsinterlock.testing.OthersWebhook.Mutation;
import dev.gitopsinterlock.testing.RequiresTools;
import dev.gitopsinterlock.testing.Workspace;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replacements of Jobs that other webhooks change when they are created, before ours and after it, by the tools: each
 * edit runs the Job once, the tool is content with it, and the same manifest again does nothing.
 */
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Flux.Extension.class, Stories.class})
class OthersWebhooksToolsIT {

    private static final String JOB = "db-migrate";
    private static final String IMAGE = "registry.example/shop/migrate:";

    private final Cluster cluster;
    private final ArgoCd argoCd;
    private final Workspace shop;
    private final Path folder;

    /** All stories begin when Argo CD is there: its definitions are large, and take long beside them. */
    OthersWebhooksToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
        this.cluster = cluster;
        this.argoCd = argoCd;
        shop = Workspace.in(cluster.controlPlane(), "others-tools");
        this.folder = folder;
    }

    /**
     * A tool with a release of a Job. Both come back when it says that it is done.
     *
     * @param deploy deploys a version of the Job
     * @param deployAgain the same manifest once more
     */
    private record Release(Consumer<String> deploy, Consumer<String> deployAgain) {}

    static Stream<Arguments> webhooks() {
        return Stream.of(Mutation.values())
                .flatMap(mutation -> Stream.of("a", "zzz").map(place -> Arguments.of(mutation, place)));
    }

    static Stream<Arguments> helmsAndWebhooks() {
        return with(Stream.of(Helm.values()));
    }

    /** How Argo CD compares and applies. */
    enum Mode {
        CLIENT_SIDE("client-side apply", "", ""),
        SERVER_SIDE_DIFF("Server-Side Diff", "ServerSideDiff=true", ""),
        SERVER_SIDE_APPLY("ServerSideApply=true, Server-Side Diff", "ServerSideDiff=true", "ServerSideApply=true");

        private final String words;
        private final String compareOptions;
        private final String syncOptions;

        Mode(String words, String compareOptions, String syncOptions) {
            this.words = words;
            this.compareOptions = compareOptions;
            this.syncOptions = syncOptions;
        }

        /** Takes the digest for a drift from Git, which asks for none. */
        boolean seesDriftAfter(Mutation mutation) {
            return this == CLIENT_SIDE && mutation == Mutation.PINS_DIGEST;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    static Stream<Arguments> modesAndWebhooks() {
        return with(Stream.of(Mode.values()));
    }

    private static Stream<Arguments> with(Stream<?> modes) {
        return modes.flatMap(mode -> webhooks().map(webhook -> Arguments.of(mode, webhook.get()[0], webhook.get()[1])));
    }

    @ParameterizedTest(name = "{0}; another webhook {1}, in place {2}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("helmsAndWebhooks")
    void everyUpgradeRunsTheJobOnce(Helm helm, Mutation mutation, String place) {
        var chart = Chart.copy(Example.of("helm-release"), folder.resolve("chart"));
        Consumer<String> upgrade = version -> helm.run(
                        shop,
                        folder,
                        "upgrade",
                        "--install",
                        "shop",
                        chart.folder().toString(),
                        "--set=smokeTest.enabled=false",
                        "--set=migrate.image=" + IMAGE + version)
                .orFail();

        everyEditRunsTheJobOnce(new Release(upgrade, upgrade), mutation, place);
    }

    @ParameterizedTest(name = "Fleet; another webhook {0}, in place {1}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("webhooks")
    void everyBundleRunsTheJobOnce(Mutation mutation, String place) {
        var fleet = FleetAgent.of(cluster.controlPlane(), shop, folder.resolve("agent"));
        var bundle = Chart.copy(Example.of("helm-release"), folder.resolve("bundle"));
        Consumer<String> deploy = version -> {
            bundle.write("fleet.yaml", """
                    helm:
                      releaseName: shop
                      values:
                        migrate: {image: "%s"}
                        smokeTest: {enabled: false}
                    """.formatted(IMAGE + version));
            fleet.deploy(bundle).orFail();
        };

        everyEditRunsTheJobOnce(new Release(deploy, deploy), mutation, place);
    }

    /** Where it compares by itself it is never content with a digest, and heals in vain: that runs nothing. */
    @ParameterizedTest(name = "Argo CD, {0}; another webhook {1}, in place {2}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("modesAndWebhooks")
    void everyCommitThatArgoCdSyncsRunsTheJobOnce(Mode mode, Mutation mutation, String place) {
        var git = GitRepository.in(folder);
        var app = argoCd.application(shop.namespace());
        Consumer<String> publish = version -> {
            commit(git, version);
            app.deploy(
                    git,
                    shop.namespace(),
                    "{automated: {selfHeal: true}, syncOptions: [%s]}".formatted(mode.syncOptions),
                    "argocd.argoproj.io/compare-options: '%s'".formatted(mode.compareOptions));
            app.refresh();
        };
        var release = mode.seesDriftAfter(mutation)
                ? new Release(
                        publish.andThen(_ -> app.awaitEnd(git.head(), "Succeeded")),
                        _ -> awaitHealedInVain(app, git.head()))
                : new Release(publish.andThen(_ -> app.awaitSynced(git.head())), _ -> {
                    app.sync(git.head());
                    app.awaitEnd(git.head(), "Succeeded");
                    app.refresh();
                    app.awaitSynced(git.head());
                });
        try {
            everyEditRunsTheJobOnce(release, mutation, place);
        } finally {
            app.delete();
        }
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

    @ParameterizedTest(name = "Flux; another webhook {0}, in place {1}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("webhooks")
    @RequiresTools("flux")
    void everyCommitThatFluxAppliesRunsTheJobOnce(Mutation mutation, String place, Flux flux) {
        var git = GitRepository.in(folder);
        var kustomization = flux.kustomization(shop.namespace());
        try {
            everyEditRunsTheJobOnce(
                    new Release(
                            version -> {
                                commit(git, version);
                                kustomization.deploy(git, shop.namespace(), "{wait: true}");
                                kustomization.awaitReady(git.head());
                            },
                            _ -> {
                                kustomization.reconcile();
                                kustomization.awaitReady(git.head());
                            }),
                    mutation,
                    place);
        } finally {
            kustomization.delete();
        }
    }

    private void everyEditRunsTheJobOnce(Release release, Mutation mutation, String place) {
        shop.onImmutableChange("Replace");
        var all = JobHistory.of(shop, JOB);
        try (var _ = OthersWebhook.mutating(cluster.controlPlane(), shop.namespace(), place, mutation)) {
            release.deploy().accept("1.0");
            all.awaitComplete(mutation.image(IMAGE + "1.0"));
            release.deployAgain().accept("1.0");
            all.awaitComplete(mutation.image(IMAGE + "1.0"));
            // nothing says yet what was ordered, so that a digest is taken for an edit, once
            int runs = mutation == Mutation.PINS_DIGEST ? 2 : 1;
            assertThat(all.newRuns()).as("runs of the first version").isEqualTo(runs);

            for (var version : List.of("1.1", "1.2", "1.1")) {
                var old = shop.uid(JOB);
                var history = JobHistory.of(shop, JOB);

                release.deploy().accept(version);
                var uid = shop.uid(JOB);
                assertThat(shop.job(JOB)
                                .at("/metadata/annotations/gitops-interlock.dev~1replaced")
                                .asText())
                        .as("the Job whose place it took")
                        .startsWith(old + "/");
                release.deployAgain().accept(version);
                history.awaitComplete(mutation.image(IMAGE + version));
                assertThat(shop.uid(JOB)).as("the same manifest again").isEqualTo(uid);
                assertThat(history.newRuns()).isEqualTo(1);
            }

            release.deployAgain().accept("1.1");
            assertThat(all.newRuns()).isEqualTo(runs + 3);
        }
    }

    private static void commit(GitRepository git, String version) {
        git.commit(
                "job.yaml",
                Example.of("argocd-image-change")
                        .text("manifests/job.yaml")
                        .replace("migrate:1.0", "migrate:" + version));
    }
}
