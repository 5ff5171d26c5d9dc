package dev.gitopsinterlock.testing.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.service.Tls;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** Somebody else's webhook for the Jobs of one Namespace. */
public final class OthersWebhook implements AutoCloseable {

    /** What such a webhook makes of a new Job, once. */
    public enum Mutation {
        PINS_DIGEST("pins the image's digest") {
            @Override
            JsonNode patch(JsonNode job) {
                var image = job.at(FIRST_IMAGE).asText();
                return image.contains("@") ? Trees.json("[]") : Trees.json("""
                        [{'op': 'replace', 'path': '%s', 'value': '%s'}]""".formatted(FIRST_IMAGE, image(image)));
            }

            @Override
            public String image(String submitted) {
                return submitted + "@sha256:" + "0123456789abcdef".repeat(4);
            }
        },
        ADDS_SIDECAR("adds a sidecar") {
            @Override
            JsonNode patch(JsonNode job) {
                return job.at("/spec/template/spec/containers/1").isObject() ? Trees.json("[]") : Trees.json("""
                        [{'op': 'add', 'path': '/spec/template/spec/containers/-',
                          'value': {'name': 'proxy', 'image': 'registry.example/proxy:1'}}]""");
            }

            @Override
            public String image(String submitted) {
                return submitted;
            }
        };

        private static final String FIRST_IMAGE = "/spec/template/spec/containers/0/image";

        private final String words;

        Mutation(String words) {
            this.words = words;
        }

        abstract JsonNode patch(JsonNode job);

        /** Of the first container, where a client submitted another one. */
        public abstract String image(String submitted);

        @Override
        public String toString() {
            return words;
        }
    }

    private final ControlPlane controlPlane;
    private final HttpsServer server;
    private final String kind;
    private final String name;

    private OthersWebhook(ControlPlane controlPlane, HttpsServer server, String kind, String name) {
        this.controlPlane = controlPlane;
        this.server = server;
        this.kind = kind;
        this.name = name;
    }

    /** Refuses every new Job, but no trial. */
    public static OthersWebhook denyingForReal(ControlPlane controlPlane, String namespace, String words) {
        return register(
                controlPlane,
                namespace,
                "ValidatingWebhookConfiguration",
                namespace,
                "[CREATE]",
                (request, response) -> {
                    if (!request.path("dryRun").asBoolean()) {
                        response.put("allowed", false)
                                .putObject("status")
                                .put("message", words)
                                .put("code", 422);
                    }
                });
    }

    /**
     * Lets everything pass, after a while.
     *
     * @param place where in the order of webhooks: {@code a} is asked before ours, {@code zzz} after it
     */
    public static OthersWebhook slow(ControlPlane controlPlane, String namespace, String place, Duration time) {
        return register(
                controlPlane,
                namespace,
                "MutatingWebhookConfiguration",
                place + "-" + namespace,
                "[CREATE, UPDATE]",
                (request, response) -> {
                    try {
                        Thread.sleep(time); // what is tested: a webhook that takes this long
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    /** Lets everything pass; during the first update that it is asked about, after ours, something else happens. */
    public static OthersWebhook during(ControlPlane controlPlane, String namespace, Runnable event) {
        var once = new AtomicReference<>(event);
        return register(
                controlPlane,
                namespace,
                "MutatingWebhookConfiguration",
                "zzz-" + namespace,
                "[UPDATE]",
                (request, response) -> once.getAndSet(() -> {}).run());
    }

    /**
     * Changes new Jobs.
     *
     * @param place where in the order of webhooks: {@code a} is asked before ours, {@code zzz} after it
     */
    public static OthersWebhook mutating(ControlPlane controlPlane, String namespace, String place, Mutation mutation) {
        return patching(controlPlane, namespace, place, mutation::patch);
    }

    /** Gives each new Job that has annotations one more, whatever it was ordered with. */
    public static OthersWebhook annotating(ControlPlane controlPlane, String namespace) {
        return patching(
                controlPlane,
                namespace,
                "zzz",
                job -> Trees.json("[{'op': 'add', 'path': '/metadata/annotations/injected', 'value': 'yes'}]"));
    }

    private static OthersWebhook patching(
            ControlPlane controlPlane, String namespace, String place, UnaryOperator<JsonNode> patch) {
        return register(
                controlPlane,
                namespace,
                "MutatingWebhookConfiguration",
                place + "-" + namespace,
                "[CREATE]",
                (request, response) -> response.put("patchType", "JSONPatch")
                        .put(
                                "patch",
                                Base64.getEncoder().encodeToString(Trees.bytes(patch.apply(request.path("object"))))));
    }

    private static OthersWebhook register(
            ControlPlane controlPlane,
            String namespace,
            String kind,
            String name,
            String operations,
            BiConsumer<JsonNode, ObjectNode> rule) {
        try {
            var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.setHttpsConfigurator(new HttpsConfigurator(Tls.server(controlPlane.webhookCertificates())));
            server.createContext("/", exchange -> answer(exchange, rule));
            server.start();
            var ca = Files.readAllBytes(controlPlane.webhookCertificates().resolve("ca.crt"));
            controlPlane
                    .kubectl("apply", "-f", controlPlane.file("""
                            apiVersion: admissionregistration.k8s.io/v1
                            kind: %1$s
                            metadata: {name: "%2$s"}
                            webhooks:
                              - name: tickets.example.com
                                clientConfig: {url: "https://127.0.0.1:%3$d/", caBundle: "%4$s"}
                                rules:
                                  - {apiGroups: [batch], apiVersions: [v1], resources: [jobs], operations: %5$s}
                                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: "%6$s"}}
                                admissionReviewVersions: [v1]
                                sideEffects: None
                            """.formatted(
                                    kind,
                                    name,
                                    server.getAddress().getPort(),
                                    Base64.getEncoder().encodeToString(ca),
                                    operations,
                                    namespace)))
                    .orFail();
            return new OthersWebhook(controlPlane, server, kind, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(HttpExchange exchange, BiConsumer<JsonNode, ObjectNode> rule) throws IOException {
        try (exchange) {
            var request = Trees.json(new String(exchange.getRequestBody().readAllBytes(), UTF_8))
                    .path("request");
            var answer = Trees.JSON
                    .createObjectNode()
                    .put("apiVersion", "admission.k8s.io/v1")
                    .put("kind", "AdmissionReview");
            var response = answer.putObject("response")
                    .put("uid", request.path("uid").asText())
                    .put("allowed", true);
            rule.accept(request, response);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            var bytes = answer.toString().getBytes(UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        controlPlane.kubectl("delete", kind, name).orFail();
        server.stop(0);
    }
}
