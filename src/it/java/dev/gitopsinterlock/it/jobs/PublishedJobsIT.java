package dev.gitopsinterlock.it.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs with the shapes that published articles on Argo CD and Fleet use, sent as those tools send them: what they create
 * and delete goes through without a word, and their edits get the words of the tool.
 */
@ExtendWith(Cluster.Extension.class)
class PublishedJobsIT {

    private static final AtomicInteger NAMESPACES = new AtomicInteger();
    private static final String ARGO_CD = "argocd/argocd-application-controller";
    private static final String FLEET = "cattle-fleet-system/fleet-agent";

    private final ControlPlane kubernetes;
    private final String namespace = "published-" + NAMESPACES.incrementAndGet();

    PublishedJobsIT(Cluster cluster) {
        kubernetes = cluster.controlPlane();
    }

    @BeforeEach
    void makeNamespace() {
        kubernetes.createNamespace(namespace);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // a hook that is deleted and created at each sync
                "annotations: {argocd.argoproj.io/hook: Sync, argocd.argoproj.io/hook-delete-policy: BeforeHookCreation}",
                // hooks that stay after a failure
                "annotations: {argocd.argoproj.io/hook: PostSync, argocd.argoproj.io/hook-delete-policy: HookSucceeded}",
                "annotations: {argocd.argoproj.io/hook: PreSync, argocd.argoproj.io/hook-delete-policy: HookSucceeded}",
                // a plain Job in a wave
                "annotations: {argocd.argoproj.io/sync-wave: '1'}"
            })
    void whatArgoCdCreatesAndDeletesGoesThrough(String metadata) {
        var job = kubernetes.file(job(metadata, "finalizers: [argocd.argoproj.io/hook-finalizer]", "1.0"));

        var created = as(ARGO_CD, "apply", "--field-manager=argocd-controller", "-f", job);
        var live = as(ARGO_CD, "get", "job", "published", "-o", "yaml").orFail().out();
        var released = as(ARGO_CD, "replace", "-f", kubernetes.file(live.replaceAll("  finalizers:\\R  - .*\\R", "")));
        var deleted = as(ARGO_CD, "delete", "job", "published", "--cascade=foreground", "--timeout=300s");

        assertThat(List.of(released, deleted))
                .allSatisfy(answer -> assertThat(answer.orFail().err()).isEmpty());
        assertThat(created.orFail().err())
                .startsWith(metadata.contains("HookSucceeded") ? "Warning: add BeforeHookCreation to " : "")
                .matches("(Warning: .*\\n)?");
    }

    /** Force=true,Replace=true: the second half of a replacement must never be held up. */
    @Test
    void whatArgoCdForcesIsDeletedAndCreated() {
        as(ARGO_CD, "create", "-f", kubernetes.file(job("", "", "1.0"))).orFail();

        var forced = as(ARGO_CD, "replace", "--force", "-f", kubernetes.file(job("", "", "1.1")));

        assertThat(forced.orFail().text()).contains("deleted", "replaced");
    }

    /** A schema upgrade without a hook, in a sync wave: the case that people bring to the forums. */
    @Test
    void anImageChangeOfAPlainJobIsExplained() {
        var wave = "annotations: {argocd.argoproj.io/sync-wave: '1'}";
        as(ARGO_CD, "apply", "--field-manager=argocd-controller", "-f", kubernetes.file(job(wave, "", "1.0")))
                .orFail();

        var synced =
                as(ARGO_CD, "apply", "--field-manager=argocd-controller", "-f", kubernetes.file(job(wave, "", "1.1")));
        var replaced = as(ARGO_CD, "replace", "-f", kubernetes.file(job(wave, "", "1.1")));

        assertThat(synced.err()).contains("ArgoCdJobEdit");
        assertThat(replaced.err()).contains("ArgoCdReplaceWithoutForce");
    }

    /** A Job that cleans itself up, and a change of its values while it is still there. */
    @Test
    void whatFleetDeploysGoesThroughAndItsEditIsExplained() {
        var marks =
                "labels: {objectset.rio.cattle.io/hash: a1}, annotations: {objectset.rio.cattle.io/id: default-jobs,"
                        + " meta.helm.sh/release-name: jobs}";
        var apply = new String[] {"apply", "--server-side", "--force-conflicts", "--field-manager=fleetagent", "-f"};

        var created = as(FLEET, with(apply, kubernetes.file(job(marks, "", "1.0"))));
        var edited = as(FLEET, with(apply, kubernetes.file(job(marks, "", "1.1"))));
        var renamed =
                as(FLEET, with(apply, kubernetes.file(job(marks, "", "1.1").replace("published", "published-x7"))));

        assertThat(created.orFail().err()).isEmpty();
        assertThat(edited.err()).contains("FleetJobEdit");
        assertThat(renamed.orFail().err()).isEmpty();
    }

    private static String job(String marks, String more, String version) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: published, %s}
                spec:
                  template:
                    metadata: {labels: {testbed.gitops-interlock.dev/outcome: run}}
                    spec:
                      restartPolicy: Never
                      containers: [{name: main, image: 'registry.example/published:%s'}]
                """.formatted(marks + (marks.isEmpty() || more.isEmpty() ? more : ", " + more), version);
    }

    private static String[] with(String[] arguments, String last) {
        var all = new ArrayList<>(List.of(arguments));
        all.add(last);
        return all.toArray(String[]::new);
    }

    private Command.Result as(String account, String... arguments) {
        var parts = account.split("/", 2);
        return kubernetes.kubectlAs(parts[0], parts[1], with(new String[] {"-n", namespace}, arguments));
    }

    private static String[] with(String[] first, String[] rest) {
        var all = new ArrayList<>(List.of(first));
        all.addAll(List.of(rest));
        return all.toArray(String[]::new);
    }
}
