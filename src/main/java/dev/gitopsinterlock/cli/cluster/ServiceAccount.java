package dev.gitopsinterlock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cli.input.Unreadable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** As the service account of the Pod that this runs in, where nobody has kubectl. */
final class ServiceAccount implements ApiServer {

    private static final Path MOUNTED = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String JSON = "application/json";

    private final URI server;
    private final Path directory;
    private final HttpClient client;

    /**
     * Of any API server.
     *
     * @param directory with token and ca.crt
     */
    ServiceAccount(URI server, Path directory) throws Unreadable {
        this.server = server;
        this.directory = directory;
        this.client = HttpClient.newBuilder()
                .sslContext(trusting(directory.resolve("ca.crt")))
                .connectTimeout(PATIENCE)
                .build();
    }

    /** The one of this Pod; empty outside of any. */
    static Optional<ServiceAccount> mounted(Map<String, String> environment) throws Unreadable {
        var host = environment.get("KUBERNETES_SERVICE_HOST");
        var port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        return host == null || !Files.isReadable(MOUNTED.resolve("token"))
                ? Optional.empty()
                : Optional.of(new ServiceAccount(
                        URI.create("https://%s:%s".formatted(host.contains(":") ? "[" + host + "]" : host, port)),
                        MOUNTED));
    }

    @Override
    public Answer send(String method, String path, String body) throws Unreadable {
        try {
            // read each time: the kubelet renews it
            var token = Files.readString(directory.resolve("token")).strip();
            var isForPods = ApiServer.isForPods(path);
            var patience = isForPods ? PATIENCE_WITH_PODS : PATIENCE;
            var request = HttpRequest.newBuilder(server.resolve(path))
                    .header("Authorization", "Bearer " + token)
                    .header("Content-Type", JSON)
                    .header("User-Agent", "gitops-interlock")
                    .method(method, BodyPublishers.ofString(body, UTF_8));
            var read = BodyHandlers.ofString(UTF_8);
            // the request's own timeout ends with the headers
            var response = client.sendAsync(
                            request.build(), isForPods ? BodyHandlers.limiting(read, MOST_OF_PODS) : read)
                    .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .get();
            var answer = new Answer(response.statusCode(), response.body());
            if (answer.status() == 401) {
                throw Unreadable.trouble("the API server does not know the token in " + directory);
            }
            return answer.isSuccess() ? answer : new Answer(answer.status(), words(answer));
        } catch (IOException e) {
            throw Unreadable.trouble(e.getMessage() + ": the token of the service account cannot be read");
        } catch (ExecutionException e) {
            throw Unreadable.trouble("the API server at " + server + " does not answer: " + words(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Unreadable.trouble("interrupted");
        }
    }

    private static String words(ExecutionException failure) {
        var cause = failure.getCause();
        return cause instanceof TimeoutException
                ? "too long"
                : String.valueOf(cause == null ? failure.getMessage() : cause.getMessage());
    }

    /** The message of a Status and its causes, a line for each; of anything else its number. */
    private static String words(Answer refusal) throws Unreadable {
        if (!refusal.text().startsWith("{")) {
            return "HTTP status " + refusal.status();
        }
        var status = JsonText.parse(refusal.text());
        var words = new StringBuilder(status.path("message").asText("HTTP status " + refusal.status()));
        for (JsonNode cause : status.at("/details/causes")) {
            words.append("\n%s: %s"
                    .formatted(
                            cause.path("field").asText(), cause.path("message").asText()));
        }
        return words.toString();
    }

    private static SSLContext trusting(Path authorities) throws Unreadable {
        try (var file = Files.newInputStream(authorities)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                store.setCertificateEntry("ca-" + store.size(), certificate);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw Unreadable.trouble("cannot read " + authorities + ": " + e.getMessage());
        }
    }
}
