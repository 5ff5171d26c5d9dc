package dev.gitopsinterlock.cluster.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.argocd.Destination;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.cluster.api.FakeClock;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.machineconfig.MachineConfigView;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.status.Facts.Watch;
import dev.gitopsinterlock.testing.review.SampleSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is made of Applications, pools and versions of the cluster. */
class ClusterWatchTest {

    private static final String SYNCING = """
            apiVersion: argoproj.io/v1alpha1
            kind: Application
            metadata: {namespace: argocd, name: payments}
            spec: {project: infra}
            operation: {sync: {revision: abc}}
            status: {operationState: {phase: Running, startedAt: '2026-11-21T11:59:00Z'}}
            """;

    private static final String QUIET = """
            apiVersion: argoproj.io/v1alpha1
            kind: Application
            metadata: {namespace: argocd, name: quiet}
            status: {operationState: {phase: Succeeded}}
            """;

    private static final String BETWEEN_TWO_STEPS = """
            apiVersion: argoproj.io/v1alpha1
            kind: ApplicationSet
            metadata: {namespace: argocd, name: shop}
            status: {conditions: [{type: RolloutProgressing, status: 'True', lastTransitionTime: '2026-11-21T11:59:00Z'}]}
            """;

    private static final String RECONCILING = """
            apiVersion: kustomize.toolkit.fluxcd.io/v1
            kind: Kustomization
            metadata: {namespace: apps, name: shop}
            status:
              lastAttemptedRevision: main@sha1:2
              conditions: [{type: Ready, status: Unknown, reason: Progressing, lastTransitionTime: '2026-11-21T11:59:00Z'}]
              history: [{metadata: {revision: main@sha1:1}}]
            """;

    private static final String POOL = """
            apiVersion: machineconfiguration.openshift.io/v1
            kind: MachineConfigPool
            metadata: {name: worker, uid: u}
            spec: {configuration: {name: rendered-worker-b}}
            """;

    private static final String VERSION = """
            apiVersion: config.openshift.io/v1
            kind: ClusterVersion
            metadata: {name: version}
            status: {conditions: [{type: Available, status: 'True'}, {type: Progressing, status: '%s'}]}
            """;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final KubernetesClient client = Watched.nowhere();
    private final ClusterWatch watch = new ClusterWatch(SampleSettings.usual(), client, metrics, new FakeClock());

    private MachineConfigView machineConfigs() {
        return MachineConfigController.of("", watch).known().get();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void onlyApplicationsThatSyncAreKept() {
        assertThat(watch.syncs()).isEmpty();

        Watched.applications(watch, SYNCING, QUIET);

        assertThat(watch.syncs().orElseThrow()).extracting(RunningSync::name).containsExactly("payments");
        assertThat(gauge("gitops.interlock.syncs.running")).isEqualTo(1);
        assertThat(metrics.get("gitops.interlock.cache.kept")
                        .tag("cache", "applications")
                        .gauge()
                        .value())
                .isEqualTo(1);
    }

    @Test
    void kustomizationsAreWatchedOnlyWhereTheyHoldAndHoldNothingWhileTheyAreUnknown() {
        assertThat(watch.caches()).extracting(Watch::plural).doesNotContain("kustomizations");
        var both = new ClusterWatch(
                SampleSettings.holdingForKustomizations(), client, new SimpleMeterRegistry(), new FakeClock());
        Watched.applications(both, SYNCING, QUIET);
        assertThat(both.syncs().orElseThrow()).extracting(RunningSync::name).containsExactly("payments");

        Watched.list(both.cache("kustomizations"), RECONCILING);

        assertThat(both.syncs().orElseThrow()).extracting(RunningSync::name).containsExactly("payments", "shop");
    }

    @Test
    void applicationSetsAreWatchedOnlyWhereTheyHoldAndHoldNothingWhileTheyAreUnknownOrMissing() {
        assertThat(watch.caches()).extracting(Watch::plural).doesNotContain("applicationsets");
        var both = new ClusterWatch(
                SampleSettings.holdingForApplicationSets(), client, new SimpleMeterRegistry(), new FakeClock());
        Watched.applications(both, SYNCING, QUIET);
        assertThat(both.syncs().orElseThrow()).extracting(RunningSync::name).containsExactly("payments");

        Watched.list(both.cache("applicationsets"), BETWEEN_TWO_STEPS);
        assertThat(both.syncs().orElseThrow())
                .extracting(RunningSync::name)
                .containsExactly("payments", "shop (ApplicationSet)");

        both.cache("applicationsets")
                .failed(new KubernetesClientException("no such kind", HttpURLConnection.HTTP_NOT_FOUND, null));
        assertThat(both.syncs().orElseThrow()).extracting(RunningSync::name).containsExactly("payments");
    }

    @Test
    void syncsCountInSourceNamespacesOfAKnownArgoCd() {
        assertThat(watch.caches()).extracting(Watch::plural).doesNotContain("source-namespaces");
        var registry = new SimpleMeterRegistry();
        var sourced = new ClusterWatch(
                SampleSettings.countingSourceNamespacesOf("argocd"), client, registry, new FakeClock());
        Watched.applications(sourced, in("argocd"), in("team-a"), in("team-b"), in("team-c"));
        var running = registry.get("gitops.interlock.syncs.running").gauge();
        assertThat(running.value()).as("nothing is known of Namespaces").isEqualTo(1);

        Watched.list(sourced.cache("source-namespaces"), source("team-a", "argocd"), source("team-b", "other"));
        assertThat(running.value()).isEqualTo(2);

        Watched.add(sourced.cache("source-namespaces"), source("argocd", "other"));
        assertThat(running.value()).as("its own label takes nothing away").isEqualTo(2);
    }

    @Test
    void aHubWithoutAGateWatchesApplicationsAlone() {
        var registry = new SimpleMeterRegistry();
        var hub = new ClusterWatch(SampleSettings.hubAlone(), client, registry, new FakeClock());
        assertThat(hub.hasSyncedOrFailed()).isFalse();

        Watched.applications(hub, SYNCING.replace("infra}", "infra, destination: {name: shop}}"));

        assertThat(hub.hasSyncedOrFailed()).isTrue();
        assertThat(hub.syncs().orElseThrow())
                .extracting(RunningSync::destination)
                .containsExactly(new Destination("shop", ""));
        assertThat(registry.find("gitops.interlock.cache.known").gauges()).hasSize(1);
        assertThat(registry.find("gitops.interlock.syncs.running").gauges()).isEmpty();
    }

    private static String in(String namespace) {
        return SYNCING.replace("namespace: argocd, name: payments", "namespace: %1$s, name: %1$s".formatted(namespace));
    }

    private static String source(String namespace, String argoCd) {
        return """
                apiVersion: v1
                kind: Namespace
                metadata: {name: %s, labels: {argocd.argoproj.io/managed-by-cluster-argocd: %s}}
                """.formatted(namespace, argoCd);
    }

    @Test
    void leasesHoldUntilTheyExpireAndHoldNothingWhileTheyAreUnknown() {
        assertThat(watch.caches()).extracting(Watch::plural).noneMatch(plural -> plural.startsWith("leases"));
        var clock = new FakeClock();
        var both = new ClusterWatch(
                SampleSettings.holdingForLeasesIn("interlock", "pipelines"), client, new SimpleMeterRegistry(), clock);
        Watched.applications(both, SYNCING);
        both.cache("leases/interlock")
                .failed(new KubernetesClientException("no", HttpURLConnection.HTTP_FORBIDDEN, null));
        assertThat(both.syncs().orElseThrow()).extracting(RunningSync::name).containsExactly("payments");

        Watched.list(both.cache("leases/pipelines"), """
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {namespace: pipelines, name: till, labels: {gitops-interlock.dev/hold-rollouts: 'true'}}
                spec: {holderIdentity: ci, leaseDurationSeconds: 60, renewTime: '%s'}
                """.formatted(clock.now()));
        assertThat(both.syncs().orElseThrow())
                .extracting(RunningSync::name)
                .containsExactly("payments", "till, announced by ci");

        both.cache("applications")
                .failed(new KubernetesClientException("no such kind", HttpURLConnection.HTTP_NOT_FOUND, null));
        assertThat(both.syncs().orElseThrow())
                .as("without Argo CD")
                .extracting(RunningSync::name)
                .containsExactly("till, announced by ci");

        clock.pass(Duration.ofSeconds(60));
        assertThat(both.syncs().orElseThrow()).isEmpty();
    }

    @Test
    void poolsAreKnownOnceTheyAreListed() {
        assertThat(machineConfigs().pools()).isEmpty();

        Watched.list(watch.cache("machineconfigpools"), POOL);

        assertThat(machineConfigs().pools().orElseThrow())
                .extracting(Pool::target)
                .containsExactly("rendered-worker-b");
    }

    @Test
    void anUpgradeIsWhatAClusterVersionCallsProgressing() {
        assertThat(machineConfigs().upgrading()).isEmpty();

        Watched.list(watch.cache("clusterversions"), VERSION.formatted("False"));
        assertThat(machineConfigs().upgrading()).hasValue(false);

        Watched.add(watch.cache("clusterversions"), VERSION.formatted("True"));
        assertThat(machineConfigs().upgrading()).hasValue(true);
    }

    @Test
    void readyOnceEveryListIsThereOrFailed() {
        var namespaces = new NamespaceAnnotations(SampleSettings.usual(), client, new FakeClock());
        var readiness = watch.readiness(namespaces);
        Watched.applications(watch);
        Watched.list(watch.cache("machineconfigpools"));
        assertThat(List.of(watch.hasSyncedOrFailed(), isUp(readiness))).containsOnly(false);

        watch.cache("clusterversions").failed(new IOException("reset"));
        assertThat(watch.hasSyncedOrFailed()).isTrue();
        assertThat(isUp(readiness)).as("Namespaces have to be listed").isFalse();

        Watched.list(namespaces.cache());
        assertThat(isUp(readiness)).isTrue();
    }

    private static boolean isUp(HealthCheck readiness) {
        return readiness.call().getStatus() == org.eclipse.microprofile.health.HealthCheckResponse.Status.UP;
    }

    private double gauge(String name) {
        return metrics.get(name).gauge().value();
    }
}
