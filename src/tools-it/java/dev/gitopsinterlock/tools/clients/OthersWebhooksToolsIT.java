package dev.gitopsinterlock.tools.clients;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.client.JobRelease;
import dev.gitopsinterlock.testing.client.JobRelease.ArgoCdMode;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.OthersWebhook;
import dev.gitopsinterlock.testing.cluster.OthersWebhook.Mutation;
import dev.gitopsinterlock.tools.scenario.Stories;
import java.nio.file.Path;
import java.util.stream.IntStream;
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

    private static final String BEFORE_OURS = "a";
    private static final String AFTER_OURS = "zzz";

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

    /** Each tool with each mutation and at each place, and each mutation at each place. */
    private static Stream<Arguments> webhooks(boolean turned) {
        return Stream.of(
                Arguments.of(Mutation.PINS_DIGEST, turned ? AFTER_OURS : BEFORE_OURS),
                Arguments.of(Mutation.ADDS_SIDECAR, turned ? BEFORE_OURS : AFTER_OURS));
    }

    static Stream<Arguments> webhooksOfFleet() {
        return webhooks(false);
    }

    static Stream<Arguments> webhooksOfFlux() {
        return webhooks(true);
    }

    static Stream<Arguments> helmsAndWebhooks() {
        return with((Object[]) Helm.values());
    }

    static Stream<Arguments> modesAndWebhooks() {
        return with((Object[]) ArgoCdMode.values());
    }

    private static Stream<Arguments> with(Object... tools) {
        return IntStream.range(0, tools.length)
                .boxed()
                .flatMap(i -> webhooks(i % 2 == 1)
                        .map(webhook -> Arguments.of(tools[i], webhook.get()[0], webhook.get()[1])));
    }

    @ParameterizedTest(name = "{0}; another webhook {1}, in place {2}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("helmsAndWebhooks")
    void everyUpgradeRunsTheJobOnce(Helm helm, Mutation mutation, String place) {
        everyEditRunsTheJobOnce(JobRelease.byHelm(helm, shop, folder), mutation, place);
    }

    @ParameterizedTest(name = "Fleet; another webhook {0}, in place {1}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("webhooksOfFleet")
    void everyBundleRunsTheJobOnce(Mutation mutation, String place) {
        everyEditRunsTheJobOnce(JobRelease.byFleet(cluster.controlPlane(), shop, folder), mutation, place);
    }

    /** Where it compares by itself it is never content with a digest, and heals in vain: that runs nothing. */
    @ParameterizedTest(name = "Argo CD, {0}; another webhook {1}, in place {2}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("modesAndWebhooks")
    void everyCommitThatArgoCdSyncsRunsTheJobOnce(ArgoCdMode mode, Mutation mutation, String place) {
        boolean seesDrift = mode == ArgoCdMode.CLIENT_SIDE && mutation == Mutation.PINS_DIGEST;
        everyEditRunsTheJobOnce(JobRelease.byArgoCd(argoCd, mode, seesDrift, shop, folder), mutation, place);
    }

    @ParameterizedTest(name = "Flux; another webhook {0}, in place {1}", quoteTextArguments = false)
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("webhooksOfFlux")
    @RequiresTools("flux")
    void everyCommitThatFluxAppliesRunsTheJobOnce(Mutation mutation, String place, Flux flux) {
        everyEditRunsTheJobOnce(JobRelease.byFlux(flux, shop, folder), mutation, place);
    }

    private void everyEditRunsTheJobOnce(JobRelease release, Mutation mutation, String place) {
        // nothing says yet what was ordered, so that a digest is taken for an edit, once
        int first = mutation == Mutation.PINS_DIGEST ? 2 : 1;
        try (release;
                var _ = OthersWebhook.mutating(cluster.controlPlane(), shop.namespace(), place, mutation)) {
            release.assertEachEditRunsTheJobOnce(
                    first, (history, version) -> history.awaitComplete(mutation.image(JobRelease.image(version))));
        }
    }
}
