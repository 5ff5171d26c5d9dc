package dev.gitopsinterlock.cluster;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready once the policies of Namespaces are known, so that the first answers are already the right ones. */
@Readiness
@Singleton
final class CacheReadiness implements HealthCheck {

    private final NamespaceAnnotations namespaces;

    CacheReadiness(NamespaceAnnotations namespaces) {
        this.namespaces = namespaces;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("namespace policies known")
                .status(namespaces.isSynced())
                .build();
    }
}
