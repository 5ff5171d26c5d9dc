package dev.gitopsinterlock.cluster;

import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.policy.PolicySetting;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Our annotations on Namespaces, kept up to date by a watch. Reading never blocks and never fails: what is not known
 * (yet) is not there, and the cluster's own setting holds.
 */
@Singleton
public final class NamespaceAnnotations {

    private static final Logger LOG = Logger.getLogger(NamespaceAnnotations.class);

    private final ConcurrentMap<String, Map<String, String>> annotations = new ConcurrentHashMap<>();
    private final Settings settings;
    private final KubernetesClient client;
    private volatile @Nullable SharedIndexInformer<GenericKubernetesResource> informer;

    NamespaceAnnotations(Settings settings, KubernetesClient client) {
        this.settings = settings;
        this.client = client;
    }

    /** Only those with our prefix; empty for a Namespace that has none or is not known. */
    public Map<String, String> of(String namespace) {
        return annotations.getOrDefault(namespace, Map.of());
    }

    /** Whether the first list is complete; also true where no list is needed. */
    boolean isSynced() {
        var watching = informer;
        return !settings.levels().allowOverrides() || (watching != null && watching.hasSynced());
    }

    /** Not on the start's own thread: an API server that is away must not keep the port closed. */
    void start(@Observes StartupEvent event, Vertx vertx) {
        if (settings.levels().allowOverrides()) {
            vertx.executeBlocking(() -> {
                        watch();
                        return true;
                    })
                    .onFailure(e -> LOG.error("watching Namespaces could not begin", e));
        }
    }

    void stop(@Observes ShutdownEvent event) {
        var watching = informer;
        if (watching != null) {
            watching.stop();
        }
    }

    private void watch() {
        var watching = client.genericKubernetesResources("v1", "Namespace").runnableInformer(0);
        watching.addEventHandler(new Recorder());
        // without this the informer stops for good when its first list or watch fails
        watching.exceptionHandler((started, failure) -> {
            LOG.warnf("watching Namespaces failed, trying again: %s", failure.getMessage());
            return true;
        });
        informer = watching;
        watching.start();
    }

    private final class Recorder implements ResourceEventHandler<GenericKubernetesResource> {

        @Override
        public void onAdd(GenericKubernetesResource namespace) {
            var ours = ours(namespace);
            var name = namespace.getMetadata().getName();
            if (ours.isEmpty()) {
                annotations.remove(name);
            } else {
                annotations.put(name, ours);
            }
        }

        @Override
        public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
            onAdd(after);
        }

        @Override
        public void onDelete(GenericKubernetesResource namespace, boolean finalStateUnknown) {
            annotations.remove(namespace.getMetadata().getName());
        }

        private static Map<String, String> ours(GenericKubernetesResource namespace) {
            var all = namespace.getMetadata().getAnnotations();
            return all == null
                    ? Map.of()
                    : all.entrySet().stream()
                            .filter(entry -> entry.getKey().startsWith(PolicySetting.PREFIX))
                            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        }
    }
}
