package dev.gitopsinterlock.tracing;

import dev.gitopsinterlock.logging.LogRateLimiter;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Spans that are sent to an OpenTelemetry collector, by OTLP over HTTP. Which reviews are followed is the API server's
 * decision. Spans wait in a queue that is bounded, and are sent by a thread of their own; what does not fit, or that nobody
 * takes, is lost.
 */
final class OtlpTracing implements Tracing {

    private static final Logger LOG = Logger.getLogger(OtlpTracing.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration FAREWELL = Duration.ofSeconds(2);
    private static final W3CTraceContextPropagator PROPAGATOR = W3CTraceContextPropagator.getInstance();

    private final SdkTracerProvider provider;
    private final Tracer tracer;

    private OtlpTracing(SdkTracerProvider provider) {
        this.provider = provider;
        this.tracer = provider.get("gitops-interlock");
    }

    /**
     * Begins to send.
     *
     * @param traces where spans are posted
     * @param headers of those requests; may be secret
     * @param resource what all spans are said to come from
     */
    static OtlpTracing to(URI traces, Map<String, String> headers, Map<String, String> resource) {
        var exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(traces.toString())
                .setHeaders(() -> headers)
                .setConnectTimeout(PATIENCE)
                .setTimeout(PATIENCE)
                .build();
        return new OtlpTracing(SdkTracerProvider.builder()
                .setResource(Resource.create(attributes(resource)))
                .setSampler(Sampler.parentBased(Sampler.alwaysOff()))
                .addSpanProcessor(BatchSpanProcessor.builder(new Telling(exporter))
                        .setScheduleDelay(INTERVAL)
                        .setExporterTimeout(PATIENCE)
                        .build())
                .build());
    }

    private static Attributes attributes(Map<String, String> words) {
        AttributesBuilder attributes = Attributes.builder();
        words.forEach(attributes::put);
        return attributes.build();
    }

    @Override
    public Optional<Span> review(String name, @Nullable String header) {
        if (header == null) {
            return Optional.empty();
        }
        // nothing else of the caller's goes into spans
        var parent = PROPAGATOR.extract(Context.root(), header, (carrier, key) -> key.equals(HEADER) ? carrier : null);
        var span = tracer.spanBuilder(name)
                .setParent(parent)
                .setSpanKind(SpanKind.SERVER)
                .startSpan();
        return span.getSpanContext().isSampled() ? Optional.of(new OtlpSpan(tracer, span)) : Optional.empty();
    }

    @Override
    public void close() {
        provider.shutdown().join(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private record OtlpSpan(Tracer tracer, io.opentelemetry.api.trace.Span span) implements Span {

        @Override
        public void note(String key, String value) {
            span.setAttribute(key, value);
        }

        @Override
        public void failed() {
            span.setStatus(StatusCode.ERROR);
        }

        @Override
        public Span begin(String name) {
            return begin(name, SpanKind.INTERNAL);
        }

        @Override
        public Span beginCall(String name) {
            return begin(name, SpanKind.CLIENT);
        }

        private Span begin(String name, SpanKind kind) {
            return new OtlpSpan(
                    tracer,
                    tracer.spanBuilder(name)
                            .setParent(span.storeInContext(Context.root()))
                            .setSpanKind(kind)
                            .startSpan());
        }

        @Override
        public String header() {
            var headers = new HashMap<String, String>();
            PROPAGATOR.inject(span.storeInContext(Context.root()), headers, (carrier, key, value) -> {
                if (carrier != null) {
                    carrier.put(key, value);
                }
            });
            return headers.getOrDefault(HEADER, "");
        }

        @Override
        public void end() {
            span.end();
        }
    }

    /** Says now and then that nobody takes the spans. */
    private static final class Telling implements SpanExporter {

        private final SpanExporter exporter;
        private final LogRateLimiter complaints = new LogRateLimiter(InstantSource.system());

        private Telling(SpanExporter exporter) {
            this.exporter = exporter;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            var result = exporter.export(spans);
            result.whenComplete(() -> {
                if (!result.isSuccess()) {
                    complaints.warn(
                            LOG,
                            "traces are lost, the collector at gitops-interlock.tracing.endpoint does not take them");
                }
            });
            return result;
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }
}
