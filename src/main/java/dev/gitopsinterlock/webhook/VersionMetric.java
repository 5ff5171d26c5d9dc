package dev.gitopsinterlock.webhook;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Which version answers, as a metric of the kind that Prometheus' own programs have. */
@Singleton
final class VersionMetric implements MeterBinder {

    private final String version;

    VersionMetric(@ConfigProperty(name = "quarkus.application.version") String version) {
        this.version = version;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("gitops.interlock.build.info", () -> 1)
                .description("Always 1; the label says which version this is")
                .tag("version", version)
                .register(registry);
    }
}
