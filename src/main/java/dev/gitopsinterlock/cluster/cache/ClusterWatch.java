package dev.gitopsinterlock.cluster.cache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.flux.Reconciliation;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.machineconfig.MachineConfigView;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.status.Facts.Watch;
import dev.gitopsinterlock.upgradeplan.UpgradePlan;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** Running syncs, pools and upgrades, kept up to date by watches. Reading never blocks and never fails. */
@Singleton
public final class ClusterWatch {

    private static final Logger LOG = Logger.getLogger(ClusterWatch.class);

    private final GatePolicy policy;
    private final KubernetesClient client;
    private final ProcessClock clock;
    private final ResourceCache<RunningSync> syncs;
    private final ResourceCache<RunningSync> kustomizations;
    private final ResourceCache<Pool> pools;
    private final ResourceCache<Boolean> upgrades;
    private final ResourceCache<UpgradePlan> plans;
    private final Map<String, ResourceCache<?>> all;

    public ClusterWatch(Settings settings, KubernetesClient client, MeterRegistry registry, ProcessClock clock) {
        this.policy = settings.gate();
        this.client = client;
        this.clock = clock;
        this.syncs =
                new ResourceCache<>(kind("argoproj.io", "v1alpha1", "Application", "applications"), this::sync, clock);
        this.pools = new ResourceCache<>(
                kind("machineconfiguration.openshift.io", "v1", "MachineConfigPool", "machineconfigpools"),
                pool -> Optional.of(Pool.of(tree(pool))),
                clock);
        this.upgrades = new ResourceCache<>(
                kind("config.openshift.io", "v1", "ClusterVersion", "clusterversions"),
                version -> Optional.of(true).filter(yes -> MachineConfigView.isProgressing(tree(version))),
                clock);
        this.plans = new ResourceCache<>(
                kind("upgrade.cattle.io", "v1", "Plan", "plans"),
                plan -> Optional.of(UpgradePlan.of(tree(plan))),
                clock);
        this.kustomizations = new ResourceCache<>(
                kind("kustomize.toolkit.fluxcd.io", "v1", "Kustomization", "kustomizations"),
                kustomization -> Reconciliation.of(tree(kustomization)),
                clock);
        var watched = new HashMap<String, ResourceCache<?>>(
                Map.of("applications", syncs, "machineconfigpools", pools, "clusterversions", upgrades));
        settings.upgradeController().ifPresent(controller -> watched.put("plans", plans));
        if (settings.holdsForKustomizations()) {
            watched.put("kustomizations", kustomizations);
        }
        this.all = Map.copyOf(watched);
        if (policy.isWatching()) {
            all.forEach((name, cache) -> {
                Gauge.builder("gitops.interlock.cache.known", () -> cache.isKnown() ? 1 : 0)
                        .description("Whether what is watched is known; while it is not, no rollout is held")
                        .tag("cache", name)
                        .register(registry);
                Gauge.builder("gitops.interlock.cache.kept", cache::size)
                        .description(
                                "Objects of which something is kept: pools, Plans, running syncs, running upgrades")
                        .tag("cache", name)
                        .register(registry);
            });
            Gauge.builder("gitops.interlock.syncs.running", this::counted)
                    .description("Running syncs that rollouts wait for")
                    .register(registry);
        }
    }

    /**
     * Those that are running, counted or not; empty where that is not known of Argo CD. Where it is not known of Flux, that holds
     * nothing, and Argo CD goes on to.
     */
    public Optional<List<RunningSync>> syncs() {
        // a cache that is not watched is not known
        return syncs.known()
                .map(known -> Stream.concat(known.stream(), kustomizations.known().orElseGet(List::of).stream())
                        .toList());
    }

    /** What is known of OpenShift now. */
    public MachineConfigView machineConfigs() {
        return new MachineConfigView(pools.known(), upgrades.known().map(progressing -> !progressing.isEmpty()));
    }

    /** The Plans of the system-upgrade-controller; empty where they are not known. */
    public Optional<List<UpgradePlan>> upgradePlans() {
        return plans.known();
    }

    /** How each cache stands. */
    public List<Watch> caches() {
        return all.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> new Watch(
                        each.getKey(), each.getValue().state(), each.getValue().size()))
                .toList();
    }

    /** Whether all first lists are complete, or failed so that nobody knows when they will be. */
    boolean hasSyncedOrFailed() {
        return !policy.isWatching() || all.values().stream().allMatch(ResourceCache::hasSyncedOrFailed);
    }

    /** Of the objects with this name in the plural. */
    ResourceCache<?> cache(String plural) {
        return Objects.requireNonNull(all.get(plural), plural);
    }

    private int counted() {
        return policy.counted(syncs().orElseGet(List::of), clock.now()).names().size();
    }

    /** Not on the start's own thread: an API server that is away must not keep the port closed. */
    void start(@Observes StartupEvent event, Vertx vertx) {
        if (policy.isWatching()) {
            vertx.executeBlocking(() -> {
                        all.values().forEach(watched -> watched.start(client));
                        return true;
                    })
                    .onFailure(e -> LOG.error("watching syncs and pools could not begin", e));
        }
    }

    void stop(@Observes ShutdownEvent event) {
        all.values().forEach(ResourceCache::stop);
    }

    /** Most Applications have no operation, and each is big: these are left before anything is made of them. */
    private Optional<RunningSync> sync(GenericKubernetesResource application) {
        return application.get("operation") == null ? Optional.empty() : RunningSync.of(tree(application));
    }

    private JsonNode tree(GenericKubernetesResource object) {
        return client.getKubernetesSerialization().convertValue(object, JsonNode.class);
    }

    private static ResourceDefinitionContext kind(String group, String version, String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .build();
    }
}
