package dev.gitopsinterlock.cluster.cache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.announced.AnnouncedHold;
import dev.gitopsinterlock.argocd.ProgressiveSync;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.SourceNamespaces;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.flux.Reconciliation;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.gate.KnownObjects;
import dev.gitopsinterlock.gate.WatchedKind;
import dev.gitopsinterlock.makers.KnownMaker;
import dev.gitopsinterlock.status.Facts.Watch;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/** Running syncs, pools and upgrades, kept up to date by watches. Reading never blocks and never fails. */
@Singleton
public final class ClusterWatch implements KnownObjects {

    private static final Logger LOG = Logger.getLogger(ClusterWatch.class);
    private static final Set<String> OF_ARGO_CD = Set.of("applications", "source-namespaces");

    private final GatePolicy policy;
    private final KubernetesClient client;
    private final ProcessClock clock;
    private final ResourceCache<RunningSync> syncs;
    private final ResourceCache<RunningSync> applicationSets;
    private final ResourceCache<String> sources;
    private final ResourceCache<RunningSync> kustomizations;
    private final Map<String, ResourceCache<AnnouncedHold>> leases;
    private final Map<String, ResourceCache<?>> all;

    /** Those that are watched: on a hub without a gate only what tells of Argo CD's syncs. */
    private final Map<String, ResourceCache<?>> watched;

    public ClusterWatch(Settings settings, KubernetesClient client, MeterRegistry registry, ProcessClock clock) {
        this.policy = settings.gate();
        this.client = client;
        this.clock = clock;
        this.syncs =
                new ResourceCache<>(kind("argoproj.io", "v1alpha1", "Application", "applications"), this::sync, clock);
        this.applicationSets = new ResourceCache<>(
                kind("argoproj.io", "v1alpha1", "ApplicationSet", "applicationsets"),
                applicationSet -> ProgressiveSync.of(tree(applicationSet)),
                clock);
        this.sources = new ResourceCache<>(
                new ResourceDefinitionContext.Builder()
                        .withVersion("v1")
                        .withKind("Namespace")
                        .withPlural("namespaces")
                        .build(),
                "",
                SourceNamespaces.LABEL,
                namespace ->
                        Optional.ofNullable(namespace.getMetadata().getLabels().get(SourceNamespaces.LABEL)),
                clock);
        this.kustomizations = new ResourceCache<>(
                kind("kustomize.toolkit.fluxcd.io", "v1", "Kustomization", "kustomizations"),
                kustomization -> Reconciliation.of(tree(kustomization)),
                clock);
        var known = new HashMap<String, ResourceCache<?>>(Map.of("applications", syncs));
        KnownMaker.of(settings.restartMakers(), this).watches().forEach(kind -> known.put(kind.plural(), cache(kind)));
        if (settings.holdsForApplicationSets()) {
            known.put("applicationsets", applicationSets);
        }
        if (settings.countsSourceNamespaces()) {
            known.put("source-namespaces", sources);
        }
        if (settings.holdsForKustomizations()) {
            known.put("kustomizations", kustomizations);
        }
        this.leases = policy.scope().leaseNamespaces().stream()
                .distinct()
                .collect(Collectors.toUnmodifiableMap(namespace -> "leases/" + namespace, this::leases));
        known.putAll(leases);
        this.all = Map.copyOf(known);
        if (!policy.isWatching()) {
            known.keySet().retainAll(settings.hub().isPresent() ? OF_ARGO_CD : Set.of());
        }
        this.watched = Map.copyOf(known);
        watched.forEach((name, cache) -> {
            Gauge.builder("gitops.interlock.cache.known", () -> cache.isKnown() ? 1 : 0)
                    .description("Whether what is watched is known; while it is not, no rollout is held")
                    .tag("cache", name)
                    .register(registry);
            Gauge.builder("gitops.interlock.cache.kept", cache::size)
                    .description(
                            "Objects of which something is kept: pools, Plans, running syncs, Leases, running upgrades")
                    .tag("cache", name)
                    .register(registry);
        });
        if (policy.isWatching()) {
            Gauge.builder("gitops.interlock.syncs.running", this::counted)
                    .description("Running syncs that rollouts wait for")
                    .register(registry);
        }
    }

    /**
     * All syncs that are running, counted or not; empty where that is not known of Applications. Where it is not known of
     * ApplicationSets, of Flux or of Leases, these hold nothing, and Applications go on to.
     */
    public Optional<List<RunningSync>> syncs() {
        var argoCds = new SourceNamespaces(sources.isKnown() ? sources.all() : Map.of());
        // a cache that is not watched is not known
        return syncs.known()
                .map(known -> Stream.of(
                                known,
                                applicationSets.known().orElseGet(List::of),
                                kustomizations.known().orElseGet(List::of),
                                announced())
                        .flatMap(List::stream)
                        .map(sync -> argoCds.resolve(sync, policy.scope()))
                        .toList());
    }

    private List<RunningSync> announced() {
        var now = clock.now();
        return leases.values().stream()
                .flatMap(cache -> cache.known().orElseGet(List::of).stream())
                .flatMap(hold -> hold.at(now, policy.scope().maxAge()).stream())
                .toList();
    }

    /** Nothing is known of a kind that nobody watches. */
    @Override
    @SuppressWarnings("unchecked") // each cache is of the kind of its name
    public <T> Optional<List<T>> of(WatchedKind<T> kind) {
        return Optional.ofNullable((ResourceCache<T>) all.get(kind.plural())).flatMap(ResourceCache::known);
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
        return watched.values().stream().allMatch(ResourceCache::hasSyncedOrFailed);
    }

    /**
     * Ready once the policies of Namespaces are known, and syncs and pools as far as there are any, so that the first
     * answers are already the right ones.
     */
    @Produces
    @Readiness
    @Singleton
    HealthCheck readiness(NamespaceAnnotations namespaces) {
        return () -> HealthCheckResponse.named("caches filled")
                .status(namespaces.hasSynced() && hasSyncedOrFailed())
                .build();
    }

    /** The cache of the objects with this name in the plural. */
    ResourceCache<?> cache(String plural) {
        return Objects.requireNonNull(all.get(plural), plural);
    }

    private int counted() {
        return policy.counted(syncs().orElseGet(List::of), clock.now()).names().size();
    }

    /** Not on the start's own thread: an API server that is away must not keep the port closed. */
    void start(@Observes StartupEvent event, Vertx vertx) {
        if (!watched.isEmpty()) {
            vertx.executeBlocking(() -> {
                        watched.values().forEach(cache -> cache.start(client));
                        return true;
                    })
                    .onFailure(e -> LOG.error("watching syncs and pools could not begin", e));
        }
    }

    void stop(@Observes ShutdownEvent event) {
        watched.values().forEach(ResourceCache::stop);
    }

    /** Most Applications have no operation, and each is big: these are left before anything is made of them. */
    private Optional<RunningSync> sync(GenericKubernetesResource application) {
        return application.get("operation") == null ? Optional.empty() : RunningSync.of(tree(application));
    }

    private ResourceCache<AnnouncedHold> leases(String namespace) {
        return new ResourceCache<>(
                kind("coordination.k8s.io", "v1", "Lease", "leases"),
                namespace,
                AnnouncedHold.SELECTOR,
                lease -> AnnouncedHold.of(tree(lease)),
                clock);
    }

    private <T> ResourceCache<T> cache(WatchedKind<T> kind) {
        return new ResourceCache<>(
                kind(kind.group(), kind.version(), kind.kind(), kind.plural()),
                object -> kind.reader().apply(tree(object)),
                clock);
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
                .withNamespaced(true)
                .build();
    }
}
