package dev.gitopsinterlock.trust;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready once the certificate that API servers trust is served, where the service keeps it itself. */
@Readiness
@Singleton
final class TrustReadiness implements HealthCheck {

    private final SelfManagedTrust trust;

    TrustReadiness(SelfManagedTrust trust) {
        this.trust = trust;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("certificate kept")
                .status(trust.isKept())
                .build();
    }
}
