package dev.gitopsinterlock.webhook;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What Quarkus counts of HTTP by itself. */
final class HttpMeters {

    /** Of our own requests to the API server: a path has the names of objects. */
    @Produces
    @Singleton
    MeterFilter withoutPaths() {
        return MeterFilter.ignoreTags("uri");
    }
}
