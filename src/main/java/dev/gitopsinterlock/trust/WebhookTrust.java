package dev.gitopsinterlock.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.net.URI;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a webhook configuration is to say of us, as a JSON patch. Touches webhooks of our own domain only, and of those
 * only the CAs and, where a token may be, the path.
 */
final class WebhookTrust {

    private static final String DOMAIN = ".gitops-interlock.dev";

    /** The paths of webhooks that carry a token, by their names in the chart. */
    private static final Map<String, String> PATHS = Stream.concat(
                    Stream.of(
                            Map.entry("jobs", "/mutate/jobs"),
                            Map.entry("cron-jobs", "/mutate/jobs"),
                            Map.entry("job-advice", "/validate/jobs")),
                    GuardedKinds.BESIDE_JOB.stream().map(kind -> Map.entry(kind.plural(), "/mutate/objects")))
            .collect(toUnmodifiableMap(webhook -> webhook.getKey() + DOMAIN, Map.Entry::getValue));

    /** Of each maker of restarts, one. */
    private static final String GATE = "-gate" + DOMAIN;

    /** In no other mode of the chart: by it a Pod sees that its release has been upgraded to another one. */
    private static final String MARK = "gitops-interlock.dev/certificates";

    private WebhookTrust() {}

    /** Whether each webhook of ours trusts the CA. */
    static boolean trusts(JsonNode configuration, CertificateAuthority authority) {
        var pem = TrustSecret.pem(authority);
        return configuration
                .path("webhooks")
                .valueStream()
                .filter(WebhookTrust::isOurs)
                .allMatch(webhook ->
                        decoded(webhook.at("/clientConfig/caBundle").asText()).contains(pem));
    }

    /** Whether each webhook of ours that carries a token carries this one, or none where there is none. */
    static boolean carries(JsonNode configuration, Optional<String> token) {
        return configuration
                .path("webhooks")
                .valueStream()
                .filter(webhook -> base(webhook).isPresent())
                .allMatch(webhook -> {
                    var config = webhook.path("clientConfig");
                    var given = config.has("service")
                            ? config.at("/service/path").asText()
                            : URI.create(config.path("url").asText()).getPath();
                    return base(webhook)
                            .map(base -> path(base, token))
                            .orElseThrow()
                            .equals(given);
                });
    }

    /** The path of a webhook without its token; empty for one that carries none. */
    private static Optional<String> base(JsonNode webhook) {
        var name = webhook.path("name").asText();
        return name.endsWith(GATE) ? Optional.of("/validate/nodes") : Optional.ofNullable(PATHS.get(name));
    }

    private static String path(String base, Optional<String> token) {
        return base + token.map(word -> "/" + word).orElse("");
    }

    /**
     * What is missing; empty where nothing is, or where the configuration is not ours to write any more. Fails at the API server if somebody wrote the object meanwhile.
     *
     * @param token for the paths; empty: they end without one
     */
    static Optional<ArrayNode> patch(JsonNode configuration, String bundle, Optional<String> token) {
        if (!ObjectMeta.annotation(configuration, MARK).equals("selfManaged")) {
            return Optional.empty();
        }
        var patch = JsonNodeFactory.instance.arrayNode();
        operation(patch, "test", "/metadata/resourceVersion", configuration.at("/metadata/resourceVersion"));
        var caBundle = JsonNodeFactory.instance.textNode(Base64.getEncoder().encodeToString(bundle.getBytes(UTF_8)));
        var webhooks = configuration.path("webhooks");
        for (int i = 0; i < webhooks.size(); i++) {
            var webhook = webhooks.get(i);
            if (!isOurs(webhook)) {
                continue;
            }
            var client = "/webhooks/" + i + "/clientConfig";
            if (!webhook.at("/clientConfig/caBundle").equals(caBundle)) {
                operation(patch, "add", client + "/caBundle", caBundle);
            }
            base(webhook).ifPresent(base -> putPath(patch, client, webhook.path("clientConfig"), path(base, token)));
        }
        return patch.size() == 1 ? Optional.empty() : Optional.of(patch);
    }

    private static void putPath(ArrayNode patch, String client, JsonNode config, String path) {
        if (config.has("service")) {
            if (!config.at("/service/path").asText().equals(path)) {
                operation(patch, "add", client + "/service/path", JsonNodeFactory.instance.textNode(path));
            }
        } else {
            var url = config.path("url").asText();
            var wanted = URI.create(url).resolve(path).toString();
            if (!url.equals(wanted)) {
                operation(patch, "add", client + "/url", JsonNodeFactory.instance.textNode(wanted));
            }
        }
    }

    private static boolean isOurs(JsonNode webhook) {
        return webhook.path("name").asText().endsWith(DOMAIN);
    }

    private static void operation(ArrayNode patch, String op, String path, JsonNode value) {
        patch.addObject().put("op", op).put("path", path).set("value", value);
    }

    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
