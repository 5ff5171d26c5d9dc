package dev.gitopsinterlock.cluster.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.cluster.api.Identity.Impersonated;
import dev.gitopsinterlock.cluster.api.Identity.Impossible;
import dev.gitopsinterlock.cluster.api.Identity.OwnAccount;
import dev.gitopsinterlock.tracing.CurrentSpan;
import dev.gitopsinterlock.tracing.Tracing;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * By the HTTP client of the Kubernetes client, as plain trees. Each request is sent exactly once, however it ends: the
 * client's own retries would make two deletions of one.
 */
@Singleton
final class HttpTransport implements ApiTransport {

    private static final String JSON = "application/json";

    private final KubernetesClient client;

    HttpTransport(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public String ownNamespace() {
        var namespace = client.getNamespace();
        return namespace == null ? "default" : namespace;
    }

    @Override
    public ApiAnswer send(ApiRequest request) throws IOException {
        var once = withoutRetries();
        var response = answer(request, once.sendAsync(sent(once, request), byte[].class));
        return new ApiAnswer(response.code(), parse(response.body()), date(response));
    }

    @Override
    public Optional<JsonNode> watch(ApiRequest request, Predicate<JsonNode> isAwaited) throws IOException {
        var end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience(request));
        var once = withoutRetries();
        var lines = new LineQueue();
        var response = answer(request, once.consumeBytes(sent(once, request), lines));
        // read to its end even where nobody waits for it: closing it may hit the next request on its connection
        lines.follow(response.body());
        if (!response.isSuccessful()) {
            throw new IOException("no watch: HTTP status " + response.code());
        }
        try {
            for (var line = lines.next(end); line.isPresent(); line = lines.next(end)) {
                var event = parse(line.get());
                if (event.path("type").asText().equals("ERROR")) {
                    throw new IOException(
                            "watch ended: " + event.at("/object/reason").asText());
                }
                if (isAwaited.test(event)) {
                    return Optional.of(event);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (!response.body().done().isDone()) {
            response.body().cancel();
        }
        return Optional.empty();
    }

    private static <T> HttpResponse<T> answer(ApiRequest request, CompletableFuture<HttpResponse<T>> answer)
            throws IOException {
        var method = request.method();
        try {
            return answer.get(patience(request), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException("no answer to " + method, e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("no answer to " + method + " in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private HttpRequest sent(HttpClient once, ApiRequest request) {
        var server = client.getConfiguration().getMasterUrl().replaceFirst("/+$", "");
        var builder = as(request.identity(), withBody(once, request));
        CurrentSpan.header().ifPresent(header -> builder.header(Tracing.HEADER, header));
        return builder.uri(server + request.path())
                .timeout(patience(request), TimeUnit.MILLISECONDS)
                .build();
    }

    private static long patience(ApiRequest request) {
        return Math.max(1, request.patience().toMillis());
    }

    /** Shares everything with the client but its patience; closing it would close the client. */
    private HttpClient withoutRetries() {
        return client.getHttpClient()
                .newBuilder()
                .tag(new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    private static HttpRequest.Builder as(Identity identity, HttpRequest.Builder request) {
        switch (identity) {
            case OwnAccount() -> {}
            case Impersonated(var headers) -> headers.forEach(header -> request.header(header.name(), header.value()));
            case Impossible(var why) -> throw new IllegalArgumentException("nobody can act as this requester: " + why);
        }
        return request;
    }

    private static HttpRequest.Builder withBody(HttpClient once, ApiRequest request) {
        var builder = once.newHttpRequestBuilder();
        return request.body().isMissingNode()
                ? builder.header("Accept", request.type())
                : builder.header("Accept", JSON)
                        .method(request.method(), request.type(), request.body().toString());
    }

    private static Optional<Instant> date(HttpResponse<?> response) {
        try {
            return Optional.ofNullable(response.header("Date"))
                    .map(date -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private JsonNode parse(byte[] body) {
        var text = new String(body, UTF_8);
        if (!text.startsWith("{")) {
            // a proxy's page, which the parser would take for YAML; the status tells enough
            return MissingNode.getInstance();
        }
        try {
            return client.getKubernetesSerialization().unmarshal(text, JsonNode.class);
        } catch (KubernetesClientException e) {
            return MissingNode.getInstance();
        }
    }
}
