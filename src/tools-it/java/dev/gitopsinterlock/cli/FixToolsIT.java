package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoApplication;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.FluxKustomization;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.Example;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sync fails with our denial, {@code check --fix} writes into Git what helps, and the next sync succeeds. */
@RequiresTools("flux")
@ExtendWith({Cluster.Extension.class, ArgoCd.Extension.class, Flux.Extension.class})
class FixToolsIT {

    private final Workspace shop;
    private final GitRepository git;
    private final ArgoApplication app;
    private final FluxKustomization kustomization;

    FixToolsIT(Cluster cluster, ArgoCd argoCd, Flux flux, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "fix");
        git = GitRepository.in(folder);
        app = argoCd.application(shop.namespace());
        kustomization = flux.kustomization(shop.namespace());
    }

    @AfterEach
    void deleteWhatAppliesIt() {
        app.delete();
        kustomization.delete();
    }

    /** The Jobs of our examples and of the tools' stories that Argo CD cannot change and an annotation helps. */
    enum Refused {
        UNMARKED("argocd-image-change", "job.yaml", "db-migrate", "", "", "ArgoCdJobEdit", "Force=true"),
        IN_A_WAVE("argocd-waves", "2-upgrade-schema.yaml", "upgrade-schema", "", "", "ArgoCdJobEdit", "Force=true"),
        SERVER_SIDE(
                "argocd-image-change",
                "job.yaml",
                "db-migrate",
                "ServerSideApply=true",
                "",
                "ArgoCdServerSideApplyJobEdit",
                "ServerSideApply=false,Force=true"),
        REPLACED(
                "argocd-image-change",
                "job.yaml",
                "db-migrate",
                "Replace=true",
                "",
                "ArgoCdReplaceWithoutForce",
                "Force=true,Replace=true"),
        SERVER_SIDE_BY_APPLICATION(
                "argocd-image-change",
                "job.yaml",
                "db-migrate",
                "",
                "ServerSideApply=true",
                "ArgoCdServerSideApplyJobEdit",
                "ServerSideApply=false,Force=true"),
        REPLACED_BY_APPLICATION(
                "argocd-image-change",
                "job.yaml",
                "db-migrate",
                "",
                "Replace=true",
                "ArgoCdReplaceWithoutForce",
                "Force=true,Replace=true");

        final String example;
        final String file;
        final String job;
        final String options;
        final String ofApplication;
        final String code;
        final String fixed;

        Refused(
                String example,
                String file,
                String job,
                String options,
                String ofApplication,
                String code,
                String fixed) {
            this.example = example;
            this.file = file;
            this.job = job;
            this.options = options;
            this.ofApplication = ofApplication;
            this.code = code;
            this.fixed = fixed;
        }

        /** The only file. */
        Map<String, String> manifests() {
            var text = Example.of(example).text("manifests/" + file);
            return Map.of(
                    file,
                    options.isEmpty()
                            ? text
                            : text.replaceFirst(
                                    "(?m)^  name: .*$",
                                    "$0\n  annotations: {argocd.argoproj.io/sync-options: \"" + options + "\"}"));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT)
    void argoCdSyncsWhatIsFixed(Refused refused) {
        var first = git.commit(refused.manifests());
        app.deploy(
                git,
                shop.namespace(),
                "{automated: {}, syncOptions: [%s], retry: {limit: 1, backoff: {duration: 1s}}}"
                        .formatted(refused.ofApplication));
        app.awaitSynced(first);
        var second = git.commit(edited(refused.manifests(), text -> text.replace(":1.0", ":1.1")));
        app.refresh();
        app.awaitEnd(second, "Failed");
        assertThat(app.message()).contains(". " + refused.code);
        var history = JobHistory.of(shop, refused.job);

        var known = new String[] {"--tool", "argocd", "--sync-options", refused.ofApplication};
        assertThat(check(known).out()).contains(refused.code + ": gitops-interlock explain");
        var fixed = fix(refused.fixed, known);
        app.refresh();

        app.awaitSynced(fixed);
        history.awaitComplete(":1.1");
        assertThat(history.newRuns()).isEqualTo(1);
    }

    /** A hook that failed once is in the way of the next one. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void argoCdRunsAHookThatIsFixed() {
        var hook = Map.of("notify.yaml", Example.of("argocd-waves").text("manifests/4-notify.yaml"));
        var failing = edited(
                hook,
                text -> text.replace(
                        "  template:\n",
                        "  template:\n    metadata: {labels: {testbed.gitops-interlock.dev/outcome: fail}}\n"));
        var first = git.commit(failing);
        app.deploy(git, shop.namespace(), "{}");
        app.sync(first);
        app.awaitEnd(first, "Failed");
        var second = git.commit(edited(
                failing,
                text -> text.replace("outcome: fail", "outcome: succeed").replace(":1.0", ":1.1")));
        app.sync(second);
        app.awaitEnd(second, "Failed");
        assertThat(app.message() + app.result("Job", "notify").path("message").asText())
                .contains(". ArgoCdHookJobEdit");
        var history = JobHistory.of(shop, "notify");

        var fixed = fix("HookSucceeded,BeforeHookCreation");
        app.sync(fixed);

        app.awaitEnd(fixed, "Succeeded");
        assertThat(history.newRuns()).isEqualTo(1);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void fluxAppliesWhatIsFixed() {
        var manifests = Example.of("flux-kustomization").texts("manifests");
        var first = git.commit(manifests);
        kustomization.deploy(git, shop.namespace(), "{wait: true}");
        kustomization.awaitReady(first);
        var second = git.commit(edited(manifests, text -> text.replace("1.0", "1.1")));
        kustomization.publish(git);
        assertThat(kustomization.awaitFailed(second).message()).contains(". FluxKustomizationJobEdit");
        var history = JobHistory.of(shop, "db-migrate");

        var fixed = fix("kustomize.toolkit.fluxcd.io/force: enabled", "--tool", "flux-kustomization");
        kustomization.publish(git);

        kustomization.awaitReady(fixed);
        history.awaitComplete("migrate:1.1");
        assertThat(history.newRuns()).isEqualTo(1);
    }

    /** Has the remedy written, looks whether it is the expected one and all that was found, and commits it. */
    private String fix(String expected, String... tool) {
        var run = check(Stream.concat(Stream.of("--fix"), Arrays.stream(tool)).toArray(String[]::new));
        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).contains(expected).endsWith("nothing found\n");
        assertThat(run.code()).isEqualTo(ExitCode.NOTHING_FOUND);
        return git.commitAll("Do what check says");
    }

    /** What the newest commit changed, in the work tree. */
    private Run check(String... options) {
        return Run.in(
                git.folder(),
                Stream.concat(Stream.of("check", "--git", "HEAD~1"), Arrays.stream(options))
                        .toArray(String[]::new));
    }

    private static Map<String, String> edited(Map<String, String> manifests, UnaryOperator<String> edit) {
        return manifests.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> edit.apply(entry.getValue())));
    }
}
