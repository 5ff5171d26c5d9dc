package dev.gitopsinterlock.cluster.cache;

import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.policy.Namespaces;
import dev.gitopsinterlock.policy.PolicySetting;
import dev.gitopsinterlock.status.Facts.Watch;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Our annotations on Namespaces, kept up to date by a watch; where none of them counts for Jobs, those on our own Namespace
 * alone, on which people break the glass. Reading never blocks and never fails: what is not known (yet) is not there, and
 * the cluster's own setting holds.
 */
@Singleton
public final class NamespaceAnnotations implements Namespaces {

    private static final Logger LOG = Logger.getLogger(NamespaceAnnotations.class);

    private final ResourceCache<Map<String, String>> namespaces;
    private final Settings settings;
    private final KubernetesClient client;

    NamespaceAnnotations(Settings settings, KubernetesClient client, ProcessClock clock) {
        this.namespaces = new ResourceCache<>(
                new ResourceDefinitionContext.Builder()
                        .withVersion("v1")
                        .withKind("Namespace")
                        .withPlural("namespaces")
                        .build(),
                NamespaceAnnotations::ours,
                clock);
        this.settings = settings;
        this.client = client;
    }

    /** Only those with our prefix; empty for a Namespace that has none or is not known. */
    @Override
    public Map<String, String> of(String namespace) {
        return namespaces.get(namespace).orElse(Map.of());
    }

    /** Our annotations of every Namespace that has any. */
    public Map<String, Map<String, String>> all() {
        return namespaces.all();
    }

    /** How that is known. */
    public Watch state() {
        return new Watch("namespaces", namespaces.state(), namespaces.size());
    }

    /** How many Namespaces have such annotations. */
    long count(Predicate<Map<String, String>> which) {
        return namespaces.known().orElse(List.of()).stream().filter(which).count();
    }

    /** Whether what is not there is really not there; also true where no annotation counts. */
    @Override
    public boolean isKnown() {
        return !settings.levels().allowOverrides() || namespaces.isKnown();
    }

    /** Whether the first list is complete; also true where no list is needed. */
    boolean hasSynced() {
        return !settings.levels().allowOverrides() || namespaces.hasSynced();
    }

    ResourceCache<?> cache() {
        return namespaces;
    }

    /** Not on the start's own thread: an API server that is away must not keep the port closed. */
    void start(@Observes StartupEvent event, Vertx vertx) {
        var own = client.getNamespace();
        if (settings.levels().allowOverrides() || own != null) {
            vertx.executeBlocking(() -> {
                        if (settings.levels().allowOverrides()) {
                            namespaces.start(client);
                        } else {
                            namespaces.startForOne(client, own);
                        }
                        return true;
                    })
                    .onFailure(e -> LOG.error("watching Namespaces could not begin", e));
        }
    }

    void stop(@Observes ShutdownEvent event) {
        namespaces.stop();
    }

    private static Optional<Map<String, String>> ours(GenericKubernetesResource namespace) {
        var all = namespace.getMetadata().getAnnotations();
        if (all == null) {
            return Optional.empty();
        }
        var ours = all.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(PolicySetting.PREFIX))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        return ours.isEmpty() ? Optional.empty() : Optional.of(ours);
    }
}
