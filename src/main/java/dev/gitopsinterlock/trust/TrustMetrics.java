package dev.gitopsinterlock.trust;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Singleton;

/** What to alert on where the service keeps its certificate itself: API servers that do not learn whom to trust. */
@Singleton
final class TrustMetrics implements MeterBinder {

    private final SelfManagedTrust trust;

    TrustMetrics(SelfManagedTrust trust) {
        this.trust = trust;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("gitops.interlock.webhook.configurations.outdated", () -> trust.isPublished() ? 0 : 1)
                .description("1 while the webhook configurations cannot be given the CA of a self-managed certificate")
                .register(registry);
    }
}
