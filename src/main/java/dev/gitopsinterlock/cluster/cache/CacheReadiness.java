package dev.gitopsinterlock.cluster.cache;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready once the policies of Namespaces are known, and syncs and pools as far as there are any, so that the first
 * answers are already the right ones.
 */
@Readiness
@Singleton
final class CacheReadiness implements HealthCheck {

    private final NamespaceAnnotations namespaces;
    private final ClusterWatch cluster;

    CacheReadiness(NamespaceAnnotations namespaces, ClusterWatch cluster) {
        this.namespaces = namespaces;
        this.cluster = cluster;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("caches filled")
                .status(namespaces.hasSynced() && cluster.hasSyncedOrFailed())
                .build();
    }
}
