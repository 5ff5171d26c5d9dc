package dev.gitopsinterlock.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where certificates and tokens are the service's own, the chart leaves the paths to it. */
class WebhookTrustTest {

    private static final String TOKEN = "w0rd".repeat(5);

    @Test
    void aPathThatIsMissingIsWritten() throws IOException {
        for (var configuration : configurations()) {
            var withToken = configuration.toString();
            var withoutPaths = marked(new ObjectMapper().readTree(withToken.replace("/" + TOKEN, "")));

            var patch =
                    WebhookTrust.patch(withoutPaths, "CA", Optional.of(TOKEN)).orElseThrow();

            var urls = patch.valueStream()
                    .map(operation -> operation.path("value").asText())
                    .filter(value -> value.startsWith("https:"))
                    .toList();
            assertThat(urls).containsExactlyElementsOf(urls(configuration));
        }
    }

    /** An old Pod must not put its path back while its release is upgraded to cert-manager. */
    @Test
    void whatIsNotSelfManagedIsLeftAlone() throws IOException {
        for (var configuration : configurations()) {
            assertThat(WebhookTrust.patch(configuration, "CA", Optional.empty()))
                    .isEmpty();
            assertThat(WebhookTrust.patch(marked(configuration), "CA", Optional.empty()))
                    .isPresent();
        }
    }

    private static JsonNode marked(JsonNode configuration) {
        ((ObjectNode) configuration)
                .withObject("/metadata/annotations")
                .put("gitops-interlock.dev/certificates", "selfManaged");
        return configuration;
    }

    private static List<String> urls(JsonNode configuration) {
        return configuration
                .path("webhooks")
                .valueStream()
                .map(webhook -> webhook.at("/clientConfig/url").asText())
                .filter(url -> url.endsWith(TOKEN))
                .toList();
    }

    /** As the chart renders them with every kind. */
    private static List<JsonNode> configurations() throws IOException {
        var text = Files.readString(Path.of("testbed/registrations.yaml"))
                .replace("${URL}", "https://127.0.0.1:10250")
                .replace("${TOKEN}", TOKEN);
        try (var documents =
                new ObjectMapper(new YAMLFactory()).readerFor(JsonNode.class).<JsonNode>readValues(text)) {
            return documents.readAll();
        }
    }
}
