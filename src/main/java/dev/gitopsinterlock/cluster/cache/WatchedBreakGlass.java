package dev.gitopsinterlock.cluster.cache;

import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.policy.BreakGlass;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** As the annotations of Namespaces have it. Where Namespaces are not known yet, nobody has broken any. */
@Singleton
final class WatchedBreakGlass implements BreakGlass {

    private static final Logger LOG = Logger.getLogger(WatchedBreakGlass.class);

    private final NamespaceAnnotations namespaces;
    private final KubernetesApi api;
    private final MeterRegistry metrics;
    private final AtomicBoolean seen = new AtomicBoolean();

    WatchedBreakGlass(NamespaceAnnotations namespaces, KubernetesApi api, MeterRegistry metrics) {
        this.namespaces = namespaces;
        this.api = api;
        this.metrics = metrics;
    }

    void start(@Observes StartupEvent event) {
        gauge("cluster", () -> isOnInCluster() ? 1 : 0);
        gauge("namespaces", () -> namespaces.count(WatchedBreakGlass::isOn));
    }

    private void gauge(String scope, Supplier<Number> value) {
        Gauge.builder("gitops.interlock.break.glass", value)
                .description(
                        "Whether everything but plain answers is switched off: in the cluster, or in how many Namespaces")
                .tag("scope", scope)
                .register(metrics);
    }

    @Override
    public boolean isOn(String namespace) {
        return isOnInCluster() || (!namespace.isEmpty() && isOn(namespaces.of(namespace)));
    }

    /** Says so in the log whenever it changes. */
    private boolean isOnInCluster() {
        var isOn = isOn(namespaces.of(api.ownNamespace()));
        if (seen.getAndSet(isOn) != isOn) {
            LOG.warnf(
                    isOn
                            ? "break glass: nothing is judged in this cluster until the annotation %s is taken from Namespace %s"
                            : "break glass has ended: annotation %s of Namespace %s",
                    SETTING.annotation(),
                    api.ownNamespace());
        }
        return isOn;
    }

    private static boolean isOn(Map<String, String> annotations) {
        return BreakGlass.isBroken(key -> annotations.getOrDefault(key, ""));
    }
}
