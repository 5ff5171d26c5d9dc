package dev.gitopsinterlock.cluster.carryout;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Says whether Job edits are carried out, and in whose name. Always ready: without it edits are answered with advice. */
@Readiness
@Singleton
final class CarryOutReadiness implements HealthCheck {

    private final CarryOutIdentity identity;

    CarryOutReadiness(CarryOutIdentity identity) {
        this.identity = identity;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("carrying out Job edits")
                .up()
                .withData("mode", identity.mode().words())
                .build();
    }
}
