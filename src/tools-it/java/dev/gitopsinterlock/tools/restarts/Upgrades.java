package dev.gitopsinterlock.tools.restarts;

import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.client.UpgradeController;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Upgrades of two Nodes by one Plan, one after the other, by the real system-upgrade-controller. */
final class Upgrades implements AutoCloseable {

    /** The Application whose sync is waited for. */
    static final String APPLICATION = "payments";

    private static final String PLAN = "plans.upgrade.cattle.io/agent";
    private static final List<String> NODES = List.of("worker-0", "worker-1");

    private final ControlPlane kubernetes = ControlPlane.start();
    private final Applications applications = Applications.in(kubernetes, "argocd");
    private final Registration registration = Registration.in(kubernetes);
    private final UpgradeController controller = UpgradeController.start(kubernetes);
    private int version;

    /** Without a service yet. */
    Upgrades() {
        applications.create(APPLICATION);
        applications.startSync(APPLICATION);
        applications.endSync(APPLICATION);
        await("definition of Plans")
                .atMost(Patience.LIMIT)
                .until(() ->
                        kubernetes.kubectl("get", "plans.upgrade.cattle.io").exitCode() == 0);
        Registration.allow(kubernetes, "get,list,watch", "plans.upgrade.cattle.io");
        Registration.allow(kubernetes, "list", "pods");
    }

    ControlPlane kubernetes() {
        return kubernetes;
    }

    Applications applications() {
        return applications;
    }

    /** A service that holds these upgrades; not started. */
    Interlock.Builder service() {
        return Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .with("gitops-interlock.upgrade-plans.controller", UpgradeController.USER)
                .with("gitops-interlock.machine-configs.hold-for-jobs", "true");
    }

    /** Has the API server ask there, brings the Nodes to their first version, and waits until all replicas know the Plan. */
    void register(String url, Interlock... replicas) {
        registration.of(url, 10, replicas);
        for (var node : NODES) {
            apply("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: %s, labels: {kubernetes.io/hostname: %s, kubernetes.io/os: linux}}
                    """.formatted(node, node));
        }
        begin();
        awaitDone();
        await("all replicas know the Plan")
                .atMost(Patience.LIMIT)
                .until(() -> Arrays.stream(replicas)
                        .allMatch(replica ->
                                replica.metrics().contains("gitops_interlock_cache_kept{cache=\"plans\"} 1.0")));
    }

    /** To a version that no Node has. */
    void begin() {
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
                .until(() -> get(PLAN, "{.status.latestVersion}").equals("v1.%d.0".formatted(version)));
    }

    void awaitDone() {
        await("all Nodes upgraded")
                .atMost(Patience.LIMIT)
                .until(() -> upgraded().size() == NODES.size());
        await("Plan complete")
                .atMost(Patience.LIMIT)
                .until(() -> complete("status").equals("True"));
    }

    /** Since when this version has been on its way to Nodes. */
    Instant underWaySince() {
        await("Plan under way")
                .atMost(Patience.LIMIT)
                .until(() -> complete("status").equals("False"));
        return Instant.parse(complete("lastUpdateTime"));
    }

    private String complete(String field) {
        return get(PLAN, "{.status.conditions[?(@.type==\"Complete\")].%s}".formatted(field));
    }

    /** Nodes that have what the Plan says now. */
    List<String> upgraded() {
        var hash = get(PLAN, "{.status.latestHash}");
        return kubernetes
                .kubectl("get", "nodes", "-l", "plan.upgrade.cattle.io/agent=" + hash, "-o", "name")
                .orFail()
                .out()
                .lines()
                .map(line -> line.substring(line.indexOf('/') + 1))
                .toList();
    }

    /** Jobs of this version that may have Pods. */
    List<String> running() {
        return kubectl(
                        "get",
                        "jobs",
                        "-l",
                        "upgrade.cattle.io/version=v1.%d.0".formatted(version),
                        "-o",
                        "jsonpath={range .items[?(@.spec.parallelism!=0)]}{.metadata.name}{\"\\n\"}{end}")
                .lines()
                .toList();
    }

    String get(String objects, String path) {
        return kubectl("get", objects, "-o", "jsonpath=" + path);
    }

    /** Sets an annotation of the Plan, or takes it away. */
    void annotate(String annotation) {
        kubectl("annotate", "--overwrite", PLAN, annotation);
    }

    void awaitTold(String reason, String words) {
        await(reason + " " + words)
                .atMost(Patience.LIMIT)
                .until(() -> get(
                                "events.events.k8s.io",
                                "{range .items[?(@.regarding.name==\"agent\")]}{.reason} {.note}{\"\\n\"}{end}")
                        .lines()
                        .anyMatch(line -> line.startsWith(reason + " ") && line.contains(words)));
    }

    void apply(String manifest) {
        kubernetes.kubectl("apply", "-f", kubernetes.file(manifest)).orFail();
    }

    private String kubectl(String... arguments) {
        var words = new ArrayList<>(List.of("-n", UpgradeController.NAMESPACE));
        words.addAll(List.of(arguments));
        return kubernetes.kubectl(words.toArray(String[]::new)).orFail().out();
    }

    @Override
    public void close() {
        controller.close();
        kubernetes.close();
    }
}
