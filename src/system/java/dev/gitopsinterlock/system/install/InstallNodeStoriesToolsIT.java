package dev.gitopsinterlock.system.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.MachineConfigController;
import dev.gitopsinterlock.testing.cluster.OpenShift;
import dev.gitopsinterlock.testing.run.Patience;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Work that really runs, on a real Node, beside the image from the chart: what its Pods say before and after an edit. */
@OnNode
@TestInstance(Lifecycle.PER_CLASS)
class InstallNodeStoriesToolsIT {

    private static final String VALUES = String.join(
            ",",
            "certificates.mode=selfManaged",
            "replacement.enabled=true",
            "replacement.statefulSets=true",
            "machineConfigs.holdForJobs=true");

    private final Platform platform;
    private final Release release;

    InstallNodeStoriesToolsIT(Platform platform, @TempDir Path home) {
        this.platform = platform;
        release = platform.release(home);
    }

    @BeforeAll
    void install() {
        Image.assumeBusybox();
        platform.kubernetes().addDefinitionsOf("openshift");
        release.helm(Helm.HELM_4, "install", "--wait", "--timeout", "5m", "--set", VALUES)
                .orFail();
    }

    @AfterAll
    void end() {
        release.close();
    }

    @Test
    void aFinishedJobIsReplacedAndTheNewOneRuns() {
        var shop = shop("Replace");
        shop.apply(job("echo one", ""));
        shop.awaitComplete("work");
        var first = shop.uid("work");
        assertThat(logs(shop)).isEqualTo("one\n");

        assertThat(edit(shop, job("echo two", ""))).contains("Warning: Job work was replaced and runs again");

        shop.awaitComplete("work");
        assertThat(shop.uid("work")).isNotEqualTo(first);
        assertThat(logs(shop)).isEqualTo("two\n");
    }

    /** Its Pod is stopped, and none of it is left beside the new one. */
    @Test
    void aRunningJobIsReplacedWhereThatIsWanted() {
        var shop = shop("Replace");
        shop.apply(job("trap exit TERM; echo one; sleep 600 & wait", ""));
        awaitLogs(shop, "one\n");
        assertThat(shop.kubectl("apply", "-f", shop.file(job("echo two", ""))).err())
                .contains("ReplaceActiveJob");
        shop.kubectl("annotate", "namespace", shop.namespace(), "gitops-interlock.dev/when-active=Replace")
                .orFail();
        await("replaced")
                .atMost(Patience.LIMIT)
                .until(() -> shop.kubectl("apply", "-f", shop.file(job("echo two", "")))
                                .exitCode()
                        == 0);

        shop.awaitComplete("work");
        assertThat(logs(shop)).isEqualTo("two\n");
        await("no Pod of the old Job")
                .atMost(Patience.LIMIT)
                .until(() ->
                        shop.kubectl("get", "pods", "-o", "name").out().lines().count() == 1);
    }

    @Test
    void anEditRunsAsAJobOfItsOwnWhileTheLiveOneGoesOn() {
        var shop = shop("GenerateName");
        shop.apply(job("echo one; sleep 600", ""));
        awaitLogs(shop, "one\n");

        assertThat(edit(shop, job("echo two", ""))).contains("Warning: runs as Job work-");

        var run = shop.jobs().stream()
                .filter(name -> name.startsWith("work-"))
                .findFirst()
                .orElseThrow();
        shop.awaitComplete(run);
        assertThat(shop.kubectl("logs", "job/" + run).orFail().out()).isEqualTo("two\n");
        assertThat(logs(shop)).isEqualTo("one\n");
    }

    @Test
    void aFinishedJobIsGoneWithItsPodAfterItsTtl() {
        var shop = shop("Reject");
        // of kubectl's Jobs, which somebody may apply again, only those get one that are created
        shop.kubectl("annotate", "namespace", shop.namespace(), "gitops-interlock.dev/ttl-seconds-after-finished=1")
                .orFail();
        await("a TTL")
                .atMost(Patience.LIMIT)
                .until(() -> shop.kubectl(
                                "create", "--dry-run=server", "-f", shop.file(job("echo one", "")), "-o", "yaml")
                        .out()
                        .contains("ttlSecondsAfterFinished: 1"));
        shop.kubectl("create", "-f", shop.file(job("echo one", ""))).orFail();

        await("gone")
                .atMost(Patience.LIMIT)
                .until(() ->
                        shop.kubectl("get", "jobs,pods", "-o", "name").out().isEmpty());
    }

    /** A Job of a CronJob has an owner, who would make it again: Kubernetes' own words, and no more. */
    @Test
    void aCronJobIsEditedAndItsNextJobRunsTheNewWork() {
        var shop = shop("Replace");
        var cronJob = """
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: nightly}
                spec:
                  schedule: "0 3 * * *"
                  jobTemplate:
                    spec:
                      template:
                        spec:
                          restartPolicy: Never
                          containers: [{name: work, image: "%s", command: [sh, -c, echo one]}]
                """.formatted(platform.kubernetes().jobImage());
        shop.apply(cronJob);
        shop.kubectl("create", "job", "work", "--from=cronjob/nightly").orFail();
        shop.awaitComplete("work");
        assertThat(logs(shop)).isEqualTo("one\n");

        assertThat(shop.kubectl("set", "env", "job/work", "A=b").err()).contains("field is immutable");
        assertThat(edit(shop, cronJob.replace("one", "two"))).doesNotContain("Warning");
        shop.kubectl("create", "job", "again", "--from=cronjob/nightly").orFail();
        shop.awaitComplete("again");
        assertThat(shop.kubectl("logs", "job/again").orFail().out()).isEqualTo("two\n");
    }

    /** Its Pod never stops, and a new one, which a later rollout makes, finds what the first one wrote. */
    @Test
    void aReplacedStatefulSetKeepsItsPodAndItsData() {
        var shop = shop("Replace");
        var set = """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: "NAMESPACE"}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  storageClassName: NAMESPACE
                  hostPath: {path: /var/NAMESPACE, type: DirectoryOrCreate}
                ---
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: db}
                spec:
                  serviceName: db
                  selector: {matchLabels: {app: db}}
                  template:
                    metadata: {labels: {app: db}}
                    spec:
                      terminationGracePeriodSeconds: 0
                      containers:
                        - name: db
                          image: "%s"
                          command: [sh, -c, "echo row >> /data/table; cat /data/table; sleep 600"]
                          volumeMounts: [{name: data, mountPath: /data}]
                  volumeClaimTemplates:
                    - metadata: {name: data}
                      spec: {accessModes: [ReadWriteOnce], storageClassName: NAMESPACE, resources: {requests: {storage: 1Gi}}}
                """.formatted(platform.kubernetes().jobImage()).replace("NAMESPACE", shop.namespace());
        shop.apply(set);
        await("its Pod runs")
                .atMost(Patience.LIMIT)
                .until(() -> shop.kubectl("logs", "db-0").out().equals("row\n"));
        var pod = uid(shop, "pod/db-0");
        var claim = uid(shop, "persistentvolumeclaim/data-db-0");
        var first = uid(shop, "statefulset/db");

        assertThat(edit(shop, set.replace("serviceName: db", "serviceName: db-headless")))
                .contains("Warning: StatefulSet db was replaced");

        assertThat(uid(shop, "statefulset/db")).isNotEqualTo(first);
        assertThat(uid(shop, "pod/db-0")).isEqualTo(pod);
        shop.kubectl("rollout", "restart", "statefulset/db").orFail();
        await("a new Pod with the old data")
                .atMost(Patience.LIMIT)
                .until(() -> shop.kubectl("logs", "db-0").out().equals("row\nrow\n"));
        assertThat(uid(shop, "pod/db-0")).isNotEqualTo(pod);
        assertThat(uid(shop, "persistentvolumeclaim/data-db-0")).isEqualTo(claim);
        shop.kubectl("delete", "persistentvolume", shop.namespace(), "--wait=false")
                .orFail();
    }

    /** Argo CD runs beside the Node; what it syncs runs on it. With empty labels it would be OutOfSync for good, also without us. */
    @Test
    @RequiresTools(
            value = {"argocd", "redis"},
            definitions = "argocd")
    void anEditThatArgoCdSyncsRuns(@TempDir Path folder) {
        var shop = shop("Replace");
        var git = GitRepository.in(folder);
        git.commit("job.yaml", job("echo one", "app: work"));
        try (var argoCd = ArgoCd.start(platform.kubernetes())) {
            var application = argoCd.application("work");
            application.deploy(git, shop.namespace(), "{automated: {}}");
            awaitLogs(shop, "one\n");

            git.commit("job.yaml", job("echo two", "app: work"));
            application.refresh();
            awaitLogs(shop, "two\n");

            application.await("synced", live -> application.status().equals("Synced, Healthy; sync Succeeded"));
            application.delete();
        }
    }

    /** The same with Flux's kustomize-controller. */
    @Test
    @RequiresTools(value = "flux", definitions = "flux")
    void anEditThatFluxAppliesRuns(@TempDir Path folder) {
        var shop = shop("Replace");
        var git = GitRepository.in(folder);
        git.commit("job.yaml", job("echo one", ""));
        try (var flux = Flux.start(platform.kubernetes())) {
            var kustomization = flux.kustomization("work");
            kustomization.deploy(git, shop.namespace(), "{wait: true}");
            awaitLogs(shop, "one\n");

            git.commit("job.yaml", job("echo two", ""));
            kustomization.publish(git);
            awaitLogs(shop, "two\n");

            kustomization.delete();
        }
    }

    /** The machine-config controller is played; the Node is not, nor is what runs on it. */
    @Test
    void theNodeWaitsForAMarkedJobUntilThatHasEnded() {
        var shop = shop("Reject");
        var openShift = OpenShift.on(platform.kubernetes());
        openShift.createPool("worker");
        openShift.setRole("node1", "worker", true);
        try (var controller = MachineConfigController.start(platform.kubernetes(), 0.1)) {
            openShift.awaitUpdated(Patience.LIMIT);
            shop.apply(job(
                    "echo one; until [ -e /tmp/end ]; do sleep 0.2; done",
                    "gitops-interlock.dev/hold-restarts: \"true\""));
            awaitLogs(shop, "one\n");
            openShift.applyMachineConfig("99-worker", "worker", "second");
            await("held")
                    .atMost(Patience.LIMIT)
                    .until(() ->
                            controller.log().contains("held: Job " + shop.namespace() + "/work runs on Node node1"));
            assertThat(shop.isComplete("work")).isFalse();

            shop.kubectl("exec", "job/work", "--", "touch", "/tmp/end").orFail();
            openShift.awaitUpdated(Patience.LIMIT);
            assertThat(shop.isComplete("work")).isTrue();
        } finally {
            openShift.resources("MachineConfigPool").delete();
            openShift.resources("MachineConfig").delete();
            platform.kubernetes().admin().nodes().withName("node1").edit(node -> {
                node.getMetadata().getAnnotations().keySet().removeIf(key -> key.startsWith("machineconfiguration."));
                node.getMetadata().getLabels().remove("node-role.kubernetes.io/worker");
                return node;
            });
        }
    }

    private Workspace shop(String policy) {
        var shop = Workspace.in(platform.kubernetes(), "shop");
        shop.onImmutableChange(policy);
        return shop;
    }

    private String job(String script, String labels) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: work}
                spec:
                  template:
                    metadata: {labels: {%s}}
                    spec:
                      restartPolicy: Never
                      containers: [{name: work, image: "%s", command: [sh, -c, '%s']}]
                """.formatted(labels, platform.kubernetes().jobImage(), script);
    }

    /** What kubectl says to an edit that goes through. */
    private static String edit(Workspace shop, String manifest) {
        return shop.kubectl("apply", "-f", shop.file(manifest)).orFail().err();
    }

    private static void awaitLogs(Workspace shop, String text) {
        await("it says " + text).atMost(Patience.LIMIT).until(() -> logs(shop).equals(text));
    }

    /** Of the Job's Pod; empty while that has not started. */
    private static String logs(Workspace shop) {
        return shop.kubectl("logs", "job/work").out();
    }

    private static String uid(Workspace shop, String object) {
        return shop.kubectl("get", object, "-o", "jsonpath={.metadata.uid}")
                .orFail()
                .out();
    }
}
