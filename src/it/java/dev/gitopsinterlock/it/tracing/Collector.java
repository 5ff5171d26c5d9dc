package dev.gitopsinterlock.it.tracing;

import static java.util.stream.Collectors.toMap;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Takes spans as an OpenTelemetry collector does: by OTLP over HTTP from the service, and over gRPC from the API server,
 * which knows no other way.
 */
final class Collector implements AutoCloseable {

    private static final String GRPC = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

    /** Of a message, before its bytes: not compressed, and how long it is. */
    private static final int GRPC_PREFIX = 5;

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    private final List<ExportTraceServiceRequest> requests = new ArrayList<>();
    private final Map<String, String> headers = new ConcurrentHashMap<>();

    Collector() {
        server = vertx.createHttpServer(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(0).setDecompressionSupported(true))
                .requestHandler(this::take)
                .listen()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    private void take(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            switch (String.valueOf(request.path())) {
                case "/v1/traces" -> {
                    request.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
                    add(body.getBytes());
                    request.response()
                            .putHeader("Content-Type", "application/x-protobuf")
                            .end();
                }
                case GRPC -> {
                    add(body.getBytes(GRPC_PREFIX, body.length()));
                    request.response()
                            .putHeader("Content-Type", "application/grpc")
                            .putTrailer("grpc-status", "0")
                            .end(Buffer.buffer(new byte[GRPC_PREFIX]));
                }
                default -> request.response().setStatusCode(404).end();
            }
        });
    }

    private synchronized void add(byte[] body) {
        try {
            requests.add(ExportTraceServiceRequest.parseFrom(body));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(e);
        }
    }

    String address() {
        return "127.0.0.1:" + server.actualPort();
    }

    /** Of the service's last request. */
    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** All that has come of what calls itself so, by their beginnings. */
    synchronized List<Received> spansOf(String service) {
        return requests.stream()
                .flatMap(request -> request.getResourceSpansList().stream())
                .filter(part -> attribute(part.getResource().getAttributesList().stream()
                                .map(pair ->
                                        Map.entry(pair.getKey(), pair.getValue().getStringValue())))
                        .getOrDefault("service.name", "")
                        .equals(service))
                .flatMap(part -> part.getScopeSpansList().stream())
                .flatMap(part -> part.getSpansList().stream())
                .map(Received::new)
                .sorted(Comparator.comparingLong(received -> received.span().getStartTimeUnixNano()))
                .toList();
    }

    private static Map<String, String> attribute(Stream<Map.Entry<String, String>> pairs) {
        return pairs.collect(toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> other));
    }

    /** As much of a span as tests read. */
    record Received(Span span) {

        String name() {
            return span.getName();
        }

        String trace() {
            return HexFormat.of().formatHex(span.getTraceId().toByteArray());
        }

        String id() {
            return HexFormat.of().formatHex(span.getSpanId().toByteArray());
        }

        String parent() {
            return HexFormat.of().formatHex(span.getParentSpanId().toByteArray());
        }

        Map<String, String> attributes() {
            return attribute(span.getAttributesList().stream()
                    .map(pair -> Map.entry(pair.getKey(), pair.getValue().getStringValue())));
        }
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
