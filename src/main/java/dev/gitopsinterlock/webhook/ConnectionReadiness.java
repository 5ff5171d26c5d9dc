package dev.gitopsinterlock.webhook;

import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Not ready while an API server could not connect: before the webhook listens, and while every connection is in use. */
@Readiness
@Singleton
final class ConnectionReadiness implements HealthCheck {

    private final ConnectionGuard connections;

    ConnectionReadiness(ConnectionGuard connections) {
        this.connections = connections;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("room for connections")
                .status(connections.letsIn())
                .build();
    }
}
