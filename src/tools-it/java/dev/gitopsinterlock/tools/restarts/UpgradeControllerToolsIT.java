package dev.gitopsinterlock.tools.restarts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.client.UpgradeController;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Upgrades of K3s and RKE2 wait for syncs and marked Jobs, with the real system-upgrade-controller. */
@RequiresTools("upgradecontroller")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpgradeControllerToolsIT {

    private static final List<String> NODES = List.of("worker-0", "worker-1");

    private ControlPlane kubernetes;
    private Interlock interlock;
    private Applications applications;
    private UpgradeController controller;
    private int version;

    @BeforeAll
    void start() {
        kubernetes = ControlPlane.start();
        applications = Applications.in(kubernetes, "argocd");
        applications.create("payments");
        applications.startSync("payments");
        applications.endSync("payments");
        var registration = Registration.in(kubernetes);
        controller = UpgradeController.start(kubernetes);
        await("definition of Plans")
                .atMost(Patience.LIMIT)
                .until(() ->
                        kubernetes.kubectl("get", "plans.upgrade.cattle.io").exitCode() == 0);
        mayRead("get,list,watch", "plans.upgrade.cattle.io");
        mayRead("list", "pods");
        interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .with("gitops-interlock.upgrade-plans.controller", UpgradeController.USER)
                .with("gitops-interlock.machine-configs.hold-for-jobs", "true")
                .start();
        registration.of(interlock);
        for (var node : NODES) {
            apply("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: %s, labels: {kubernetes.io/hostname: %s, kubernetes.io/os: linux}}
                    """.formatted(node, node));
        }
        upgrade();
        awaitUpgraded();
        await("service knows the Plan")
                .atMost(Patience.LIMIT)
                .until(() -> interlock.metrics().contains("gitops_interlock_cache_kept{cache=\"plans\"} 1.0"));
    }

    @AfterEach
    void nothingRuns() {
        applications.endSync("payments");
        awaitCounted(0);
    }

    @AfterAll
    void end() {
        controller.close();
        interlock.close();
        kubernetes.close();
    }

    @Test
    void withoutASyncNothingIsHeld() {
        var refused = refused();

        upgrade();
        awaitUpgraded();

        assertThat(refused()).isEqualTo(refused);
    }

    @Test
    void anUpgradeWaitsForASyncAndGoesOnByItself() {
        applications.startSync("payments");
        awaitCounted(1);

        upgrade();
        awaitTold("RolloutHeld", "held: Argo CD sync payments is running; until ");
        awaitTold("RolloutHeld", "is next");
        assertThat(running()).as("Jobs that run").isEmpty();
        assertThat(upgraded()).isEmpty();

        applications.endSync("payments");
        awaitUpgraded();
        awaitTold("RolloutReleased", ": syncs ended");
        assertThat(get("plans.upgrade.cattle.io/agent", "{.metadata.annotations}"))
                .doesNotContain("gitops-interlock");
        assertThat(interlock.metrics()).contains("gitops_interlock_holds 0.0");
    }

    @Test
    void theCommandOfTheMessageLetsItGoUnderTheSync() {
        applications.startSync("payments");
        awaitCounted(1);
        upgrade();
        await("refused")
                .atMost(Patience.LIMIT)
                .until(() -> running().isEmpty() && interlock.metrics().contains("gitops_interlock_holds 1.0"));

        annotate("gitops-interlock.dev.cattle.io/sync-hold=Disabled");
        awaitUpgraded();
        awaitTold("RolloutReleased", ": opted out");
        assertThat(get("jobs", "{.items[*].metadata.annotations}"))
                .as("what the controller copied, which would make Jobs anew that are running")
                .doesNotContain("sync-hold");
        annotate("gitops-interlock.dev.cattle.io/sync-hold-");
    }

    @Test
    void aNodeWaitsForTheMarkedJobOnIt() {
        kubernetes.createNamespace("shop");
        apply("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: migrate, namespace: shop}
                spec:
                  template:
                    metadata:
                      labels: {gitops-interlock.dev/hold-restarts: 'true', testbed.gitops-interlock.dev/outcome: run}
                    spec: {restartPolicy: Never, nodeName: worker-1, containers: [{name: work, image: registry.example/work}]}
                """);
        await("Pod runs")
                .atMost(Patience.LIMIT)
                .until(() -> kubernetes
                        .kubectl("-n", "shop", "get", "pods", "-o", "jsonpath={.items[*].status.phase}")
                        .out()
                        .equals("Running"));

        upgrade();
        awaitTold("RolloutHeld", "held: Job shop/migrate runs on Node worker-1; until ");
        assertThat(upgraded()).as("whether before or after the other Node").doesNotContain("worker-1");

        kubernetes
                .kubectl("-n", "shop", "delete", "job", "migrate", "--wait=true")
                .orFail();
        awaitUpgraded();
        awaitTold("RolloutReleased", ": Jobs ended");
    }

    /** To a version that no Node has. */
    private void upgrade() {
        version++;
        apply("""
                apiVersion: upgrade.cattle.io/v1
                kind: Plan
                metadata: {name: agent, namespace: %s}
                spec:
                  concurrency: 1
                  version: v1.%d.0
                  serviceAccountName: system-upgrade
                  nodeSelector: {matchLabels: {kubernetes.io/os: linux}}
                  cordon: true
                  upgrade: {image: registry.example/k3s-upgrade}
                """.formatted(UpgradeController.NAMESPACE, version));
        await("Plan taken up")
                .atMost(Patience.LIMIT)
                .until(() -> get("plans.upgrade.cattle.io/agent", "{.status.latestVersion}")
                        .equals("v1.%d.0".formatted(version)));
    }

    private void awaitUpgraded() {
        await("all Nodes upgraded")
                .atMost(Patience.LIMIT)
                .until(() -> upgraded().size() == NODES.size());
        await("Plan complete")
                .atMost(Patience.LIMIT)
                .until(() -> get(
                                "plans.upgrade.cattle.io/agent", "{.status.conditions[?(@.type==\"Complete\")].status}")
                        .equals("True"));
    }

    /** Nodes that have what the Plan says now. */
    private List<String> upgraded() {
        var hash = get("plans.upgrade.cattle.io/agent", "{.status.latestHash}");
        return kubernetes
                .kubectl("get", "nodes", "-l", "plan.upgrade.cattle.io/agent=" + hash, "-o", "name")
                .orFail()
                .out()
                .lines()
                .map(line -> line.substring(line.indexOf('/') + 1))
                .toList();
    }

    /** Jobs of this version that may have Pods. */
    private List<String> running() {
        return kubernetes
                .kubectl(
                        "-n",
                        UpgradeController.NAMESPACE,
                        "get",
                        "jobs",
                        "-l",
                        "upgrade.cattle.io/version=v1.%d.0".formatted(version),
                        "-o",
                        "jsonpath={range .items[?(@.spec.parallelism!=0)]}{.metadata.name}{\"\\n\"}{end}")
                .orFail()
                .out()
                .lines()
                .toList();
    }

    private String get(String object, String path) {
        return kubernetes
                .kubectl("-n", UpgradeController.NAMESPACE, "get", object, "-o", "jsonpath=" + path)
                .orFail()
                .out();
    }

    private void annotate(String annotation) {
        kubernetes
                .kubectl(
                        "-n",
                        UpgradeController.NAMESPACE,
                        "annotate",
                        "--overwrite",
                        "plans.upgrade.cattle.io",
                        "agent",
                        annotation)
                .orFail();
    }

    private void awaitTold(String reason, String words) {
        await(reason + " " + words)
                .atMost(Patience.LIMIT)
                .until(() -> get(
                                "events.events.k8s.io",
                                "{range .items[?(@.regarding.name==\"agent\")]}{.reason} {.note}{\"\\n\"}{end}")
                        .lines()
                        .anyMatch(line -> line.startsWith(reason + " ") && line.contains(words)));
    }

    private double refused() {
        return OpenShiftCluster.reviews(interlock, "validate-nodes", "held\"");
    }

    private void awaitCounted(int syncs) {
        await(syncs + " syncs counted")
                .atMost(Patience.LIMIT)
                .until(() -> interlock.metrics().contains("gitops_interlock_syncs_running " + syncs + ".0"));
    }

    private void mayRead(String verbs, String resource) {
        kubernetes
                .kubectl("create", "clusterrole", "may-" + resource, "--verb=" + verbs, "--resource=" + resource)
                .orFail();
        kubernetes
                .kubectl(
                        "create",
                        "clusterrolebinding",
                        "may-" + resource,
                        "--clusterrole=may-" + resource,
                        "--serviceaccount=gitops-interlock:gitops-interlock")
                .orFail();
    }

    private void apply(String manifest) {
        kubernetes.kubectl("apply", "-f", kubernetes.file(manifest)).orFail();
    }
}
