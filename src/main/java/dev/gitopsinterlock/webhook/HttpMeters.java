package dev.gitopsinterlock.webhook;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What Quarkus counts of HTTP by itself. */
final class HttpMeters {

    /** A path can hold a caller token, whoever sent it and whatever became of the request. Ours have an endpoint's name. */
    @Produces
    @Singleton
    MeterFilter withoutPaths() {
        return MeterFilter.ignoreTags("uri");
    }
}
