package dev.gitopsinterlock.tracing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import dev.gitopsinterlock.config.Settings;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.config.Config;

/**
 * Where there is no collector, nothing of OpenTelemetry is ever loaded. What nobody has to tell gitops-interlock
 * about is set as OpenTelemetry's own variables say.
 */
final class TracingProducer {

    @Produces
    @Singleton
    Tracing tracing(Settings settings, Config config) {
        var collector = settings.collector();
        if (collector.isEmpty()) {
            return Tracing.OFF;
        }
        var resource = new HashMap<>(Map.of("service.name", "gitops-interlock"));
        resource.putAll(pairs(config, "otel.resource.attributes"));
        return OtlpTracing.to(traces(collector.get()), pairs(config, "otel.exporter.otlp.headers"), resource);
    }

    /** At the start, so that no review waits for it. */
    void start(@Observes StartupEvent event, Tracing tracing) {
        // being asked for makes it
    }

    void stop(@Disposes Tracing tracing) {
        tracing.close();
    }

    /** As the specification of OTLP has it. */
    private static URI traces(URI endpoint) {
        return URI.create(endpoint.toString().replaceFirst("/+$", "") + "/v1/traces");
    }

    /** {@code a=1,b=2}, as W3C Baggage writes it. */
    private static Map<String, String> pairs(Config config, String property) {
        return Arrays.stream(config.getOptionalValue(property, String.class)
                        .orElse("")
                        .split(",", -1))
                .map(pair -> pair.split("=", 2))
                .filter(pair -> pair.length == 2)
                .collect(toMap(
                        pair -> pair[0].strip(),
                        pair -> URLDecoder.decode(pair[1].strip().replace("+", "%2B"), UTF_8),
                        (first, second) -> second));
    }
}
