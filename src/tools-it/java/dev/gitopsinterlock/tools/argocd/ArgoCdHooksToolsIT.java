package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoApplication;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that Argo CD runs as hooks: nothing is disturbed, and what gets stuck is told when it is created. */
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Stories.class})
class ArgoCdHooksToolsIT {

    private static final String AUTOMATED = "{automated: {prune: true, selfHeal: true}}";
    private static final String STUCK =
            "add BeforeHookCreation to argocd.argoproj.io/hook-delete-policy: else a leftover Job is taken as the next run";

    private final ControlPlane kubernetes;
    private final Workspace shop;
    private final GitRepository git;
    private final ArgoApplication app;

    ArgoCdHooksToolsIT(Cluster cluster, ArgoCd argoCd, @TempDir Path folder) {
        kubernetes = cluster.controlPlane();
        shop = Workspace.in(kubernetes, "argo-hook");
        git = GitRepository.in(folder);
        app = argoCd.application(shop.namespace());
    }

    @AfterEach
    void deleteApplication() {
        app.delete();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Reject", "Replace"})
    @Execution(ExecutionMode.CONCURRENT)
    void aHookIsDeletedAndCreatedAtEachSync(String policy, Story story) {
        story.of(
                ArgoCd.words(),
                "a Sync hook with BeforeHookCreation; hook and settings change",
                "client-side apply",
                policy);
        shop.onImmutableChange(policy);
        var example = Example.of("argocd-sync-hook").texts("manifests");
        var first = git.commit(example);
        app.deploy(git, shop.namespace(), AUTOMATED);
        app.awaitSynced(first);
        var history = JobHistory.of(shop, "smoke-test");

        example.replaceAll((file, text) -> text.replace("1.0", "1.1"));
        var second = git.commit(example);
        app.refresh();

        app.awaitSynced(second);
        history.awaitComplete("smoke-test:1.1");
        assertThat(history.newRuns()).isEqualTo(1);
        story.shows(app.status(), words("smoke-test"), shop).job(history.outcome(), history.afterwards());
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aCommitThatChangesOnlyTheHookStartsNoSync(Story story) {
        story.of(
                ArgoCd.words(),
                "a Sync hook with BeforeHookCreation; the hook alone changes",
                "client-side apply",
                "Reject");
        var example = Example.of("argocd-sync-hook").texts("manifests");
        var first = git.commit(example);
        app.deploy(git, shop.namespace(), AUTOMATED);
        app.awaitSynced(first);
        var history = JobHistory.of(shop, "smoke-test");

        example.computeIfPresent("smoke-test.yaml", (file, text) -> text.replace("1.0", "1.1"));
        var second = git.commit(example);
        app.refresh();

        app.awaitSynced(second);
        story.shows(app.status(), words("smoke-test"), shop).job(history.outcome(), history.afterwards());
        assertThat(history.newRuns()).isZero();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aHookWithAGeneratedNameIsAddedAtEachSync(Story story) {
        story.of(ArgoCd.words(), "a Sync hook with generateName", "client-side apply", "Reject");
        var example = Example.of("argocd-sync-hook").texts("manifests");
        example.computeIfPresent(
                "smoke-test.yaml",
                (file, text) -> text.replace("  name: smoke-test\n  a", "  generateName: smoke-test-\n  a"));
        app.deploy(git, shop.namespace(), AUTOMATED);
        app.awaitSynced(git.commit(example));

        example.replaceAll((file, text) -> text.replace("1.0", "1.1"));
        var second = git.commit(example);
        app.refresh();

        app.awaitSynced(second);
        assertThat(shop.jobs()).hasSize(2).allSatisfy(job -> assertThat(job).startsWith("smoke-test-"));
        var history = JobHistory.of(shop, shop.jobs().getLast());
        story.shows(app.status(), app.message(), shop).job("two Jobs, each run once", history.afterwards());
    }

    /** As in the article on MachineConfigs: once failed, it fails every sync to come without being run. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aHookThatFailedOnceFailsEverySync(Story story) {
        story.of(
                ArgoCd.words(),
                "a PreSync hook with HookSucceeded alone that failed once; another sync",
                "client-side apply",
                "Reject");
        kubernetes.addDefinitionsOf("openshift");
        shop.kubectl("create", "serviceaccount", "pool-pauser").orFail();
        var example = Example.of("machineconfig-pause-jobs").texts("manifests");
        example.computeIfPresent("pause.yaml", (file, text) -> failing(text));
        var first = git.commit(example);
        app.deploy(git, shop.namespace(), "{}");
        app.sync(first);
        app.awaitEnd(first, "Failed");
        shop.awaitAdvice("pause-worker", STUCK);
        var history = JobHistory.of(shop, "pause-worker");

        var second = git.commit("README.md", "something else");
        app.sync(second);

        app.awaitEnd(second, "Failed");
        assertThat(history.newRuns()).isZero();
        story.shows(app.status(), words("pause-worker"), shop).job(history.outcome(), history.afterwards());
    }

    /** As in the article on waves. */
    @ParameterizedTest
    @ValueSource(strings = {"Reject", "Replace"})
    @Execution(ExecutionMode.CONCURRENT)
    void aHookThatFailedOnceIsMended(String policy, Story story) {
        story.of(
                ArgoCd.words(),
                "a PostSync hook with HookSucceeded alone that failed once; its image changes",
                "client-side apply",
                policy);
        shop.onImmutableChange(policy);
        var hook = Example.of("argocd-waves").text("manifests/4-notify.yaml");
        var first = git.commit("notify.yaml", failing(hook));
        app.deploy(git, shop.namespace(), "{}");
        app.sync(first);
        app.awaitEnd(first, "Failed");
        shop.awaitAdvice("notify", STUCK);
        var history = JobHistory.of(shop, "notify");

        var mended = failing(hook).replace("outcome: fail", "outcome: succeed").replace("notify:1.0", "notify:1.1");
        var second = git.commit("notify.yaml", mended);
        app.sync(second);
        app.awaitEnd(second, "Failed");
        story.shows(app.status(), words("notify"), shop).job(history.outcome(), history.afterwards());
        assertThat(app.message() + words("notify")).contains(". ArgoCdHookJobEdit");

        // what the advice says
        var third = git.commit("notify.yaml", mended.replace("HookSucceeded", "BeforeHookCreation,HookSucceeded"));
        app.sync(third);
        app.awaitEnd(third, "Succeeded");
        assertThat(history.newRuns()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Reject", "Replace", "Ignore"})
    @Execution(ExecutionMode.CONCURRENT)
    void aJobInAWaveChanges(String policy, Story story) {
        story.of(
                ArgoCd.words(),
                "waves: the image of a Job in wave 1 and settings in wave 2 change",
                "ApplyOutOfSyncOnly=true",
                policy);
        shop.onImmutableChange(policy);
        var example = Example.of("argocd-waves").texts("manifests");
        example.computeIfPresent(
                "1-database.yaml",
                (file, text) -> text.replace(
                        "labels: {app: database}\n",
                        "labels: {app: database, testbed.gitops-interlock.dev/outcome: run}\n"));
        var first = git.commit(example);
        app.deploy(
                git,
                shop.namespace(),
                "{automated: {prune: true, selfHeal: true}, syncOptions: [ApplyOutOfSyncOnly=true], retry: {limit: 1, backoff: {duration: 1s}}}");
        app.awaitSynced(first);
        var history = JobHistory.of(shop, "upgrade-schema");

        example.computeIfPresent("2-upgrade-schema.yaml", (file, text) -> text.replace("1.0", "1.1"));
        example.computeIfPresent("3-settings.yaml", (file, text) -> text.replace("1.0", "1.1"));
        var second = git.commit(example);
        app.refresh();

        if (policy.equals("Replace")) {
            app.awaitSynced(second);
            history.awaitComplete("schema:1.1");
            assertThat(history.newRuns()).as("the Job and the hook").isEqualTo(2);
            assertThat(settings()).isEqualTo("1.1");
        } else {
            app.awaitEnd(second, "Failed");
            assertThat(history.newRuns()).isZero();
            assertThat(settings()).isEqualTo("1.0");
        }
        story.shows(app.status(), app.message(), shop)
                .job(history.outcome() + "; settings " + settings(), history.afterwards());
    }

    private String settings() {
        return shop.kubectl("get", "configmap", "settings", "-o", "jsonpath={.data.schema}")
                .orFail()
                .out();
    }

    private String words(String job) {
        return app.result("Job", job).path("message").asText();
    }

    /** The same Job with Pods that fail. */
    private static String failing(String job) {
        return job.replace(
                "  template:\n", "  template:\n    metadata: {labels: {testbed.gitops-interlock.dev/outcome: fail}}\n");
    }
}
