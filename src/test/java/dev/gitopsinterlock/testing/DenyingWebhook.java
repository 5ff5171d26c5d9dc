package dev.gitopsinterlock.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.Base64;

/** Somebody else's validating webhook, which refuses every new Job of one Namespace. */
public record DenyingWebhook(ControlPlane controlPlane, HttpsServer server, String name) implements AutoCloseable {

    public static DenyingWebhook on(ControlPlane controlPlane, String namespace, String words) {
        try {
            var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(Tls.server(controlPlane.webhookCertificates())));
            server.createContext("/", exchange -> deny(exchange, words));
            server.start();
            var ca = Files.readAllBytes(controlPlane.webhookCertificates().resolve("ca.crt"));
            controlPlane
                    .kubectl("apply", "-f", controlPlane.file("""
                            apiVersion: admissionregistration.k8s.io/v1
                            kind: ValidatingWebhookConfiguration
                            metadata: {name: "%1$s"}
                            webhooks:
                              - name: tickets.example.com
                                clientConfig: {url: "https://127.0.0.1:%2$d/", caBundle: "%3$s"}
                                rules:
                                  - {apiGroups: [batch], apiVersions: [v1], resources: [jobs], operations: [CREATE]}
                                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: "%1$s"}}
                                admissionReviewVersions: [v1]
                                sideEffects: None
                            """.formatted(
                                    namespace,
                                    server.getAddress().getPort(),
                                    Base64.getEncoder().encodeToString(ca))))
                    .orFail();
            return new DenyingWebhook(controlPlane, server, namespace);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deny(HttpExchange exchange, String words) throws IOException {
        try (exchange) {
            var review = Trees.json(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            var answer = Trees.JSON
                    .createObjectNode()
                    .put("apiVersion", "admission.k8s.io/v1")
                    .put("kind", "AdmissionReview");
            answer.putObject("response")
                    .put("uid", review.path("request").path("uid").asText())
                    .put("allowed", false)
                    .putObject("status")
                    .put("message", words);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            var bytes = answer.toString().getBytes(UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        controlPlane.kubectl("delete", "validatingwebhookconfiguration", name).orFail();
        server.stop(0);
    }
}
