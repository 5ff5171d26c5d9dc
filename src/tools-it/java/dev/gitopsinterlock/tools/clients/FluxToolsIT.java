package dev.gitopsinterlock.tools.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.cli.ClusterStatus;
import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.FluxKustomization;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The image of a Job changes in Git, and so does a neighbour of its Kustomization. */
@RequiresTools("flux")
@ExtendWith({Cluster.Extension.class, Flux.Extension.class, Stories.class})
class FluxToolsIT {

    private static final String JOB = "db-migrate";

    private final Workspace shop;
    private final GitRepository git;
    private final FluxKustomization kustomization;
    private final Map<String, String> manifests =
            Example.of("flux-kustomization").texts("manifests");

    FluxToolsIT(Cluster cluster, Flux flux, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "flux");
        git = GitRepository.in(folder);
        kustomization = flux.kustomization(shop.namespace());
    }

    @AfterEach
    void deleteKustomization() {
        kustomization.delete();
    }

    static Stream<Arguments> everySpecAndPolicy() {
        return Stream.of("wait: false", "wait: true", "wait: true, force: true")
                .flatMap(spec -> Stream.of("Reject", "Replace", "Ignore").map(policy -> Arguments.of(spec, policy)));
    }

    @ParameterizedTest
    @MethodSource("everySpecAndPolicy")
    @Execution(ExecutionMode.CONCURRENT)
    void theImageOfAJobChanges(String spec, String policy, Story story) {
        story.of(Flux.words(), "the image of a Job and a neighbour's settings change", spec, policy);
        deploy(spec, policy);

        if (policy.equals("Replace") || spec.contains("force: true")) {
            everyChangeRunsItOnce(story);
        } else {
            theChangeIsRefused(policy, story);
        }
    }

    /** What our advice says. */
    @ParameterizedTest
    @CsvSource({"wait: true, Reject"})
    @Execution(ExecutionMode.CONCURRENT)
    void theJobSaysThatItMayBeForced(String spec, String policy, Story story) {
        story.of(
                Flux.words(),
                "the image of a Job with kustomize.toolkit.fluxcd.io/force: enabled and a neighbour's settings change",
                spec,
                policy);
        manifests.computeIfPresent(
                "job.yaml",
                (file, text) -> text.replace(
                        "metadata:\n  name: db-migrate\n",
                        "metadata:\n  name: db-migrate\n  annotations: {kustomize.toolkit.fluxcd.io/force: enabled}\n"));
        deploy(spec, policy);

        everyChangeRunsItOnce(story);
    }

    private void deploy(String spec, String policy) {
        shop.onImmutableChange(policy);
        var first = git.commit(manifests);
        kustomization.deploy(git, shop.namespace(), "{" + spec + "}");
        kustomization.awaitReady(first);
        shop.awaitComplete(JOB);
    }

    private void everyChangeRunsItOnce(Story story) {
        for (var version : List.of("1.1", "1.2")) {
            var history = JobHistory.of(shop, JOB);
            var commit = commit(version);
            kustomization.publish(git);

            var ready = kustomization.awaitReady(commit);
            history.awaitComplete("migrate:" + version);
            assertThat(history.newRuns()).isEqualTo(1);
            assertThat(settings()).isEqualTo(version);
            if (version.equals("1.2")) {
                story.shows(ready.words(), ready.message(), shop)
                        .job(history.outcome() + "; settings " + settings(), history.afterwards());
            }
        }
    }

    private void theChangeIsRefused(String policy, Story story) {
        var history = JobHistory.of(shop, JOB);
        var commit = commit("1.1");
        kustomization.publish(git);

        var failed = kustomization.awaitFailed(commit);
        if (policy.equals("Reject")) {
            assertThat(failed.message()).contains(". FluxKustomizationJobEdit").doesNotContain("Invalid value");
            statusShowsIt();
        }
        story.shows(failed.words(), failed.message(), shop)
                .job(history.outcome() + "; settings " + settings(), history.afterwards());
        assertThat(history.newRuns()).isZero();
        assertThat(settings()).as("held up with the Job").isEqualTo("1.0");
    }

    /** While Flux tries again, the Kustomization has no words. */
    private void statusShowsIt() {
        await("gitops-interlock status shows it")
                .atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(ClusterStatus.of(shop.controlPlane()))
                        .containsPattern(
                                "  Kustomization flux-system/%s\n    Job %s/%s cannot change, .*: FluxKustomizationJobEdit\n    [A-Z]"
                                        .formatted(shop.namespace(), shop.namespace(), JOB)));
    }

    private String commit(String version) {
        manifests.replaceAll((file, text) -> text.replaceAll("1\\.\\d", version));
        return git.commit(manifests);
    }

    private String settings() {
        return shop.kubectl("get", "configmap", "settings", "-o", "jsonpath={.data.version}")
                .orFail()
                .out();
    }
}
