package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.TOKEN;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Never says a token. */
final class TokenCheck {

    private static final Pattern PATH = Pattern.compile("/(?:mutate|validate)/[^/]+/?(.*)");
    /** Does nothing that takes a proof. */
    private static final String WITHOUT = "machineconfig-advice.gitops-interlock.dev";

    private TokenCheck() {}

    static Diagnosis of(Installation installation) {
        var paths = paths(installation);
        if (installation.deployment().isAbsent() || paths.isEmpty()) {
            return Diagnosis.notChecked(TOKEN, "there are no webhook configurations and Deployment to compare");
        }
        if (installation.settings().tokenSecret().isEmpty()
                && !installation.settings().word("caller-token").isEmpty()) {
            return Diagnosis.notChecked(
                    TOKEN, "the caller token of the Pods is in no Secret that the Deployment names");
        }
        var asks = installation.settings().tokenSecret().isPresent() || installation.rotatesToken();
        if (!asks) {
            // one that nobody asks for harms nobody
            return Diagnosis.ok(TOKEN, "the Pods ask for no caller token");
        }
        var without = webhooks(paths, String::isEmpty);
        if (!without.isEmpty()) {
            return problem(installation, without + ": the path ends without a caller token, which the Pods ask for");
        }
        var secret = installation.secret();
        if (secret.isRefused()) {
            return Diagnosis.notChecked(TOKEN, secret.obstacle());
        }
        if (secret.isAbsent()) {
            return problem(installation, "the Secret with the caller token does not exist");
        }
        var accepted = tokens(secret.tree().path("data"));
        var strange = webhooks(paths, token -> !accepted.contains(token));
        return strange.isEmpty()
                ? Diagnosis.ok(TOKEN, "they agree")
                : problem(installation, strange + ": the path ends with another caller token than the Pods accept");
    }

    private static Diagnosis problem(Installation installation, String words) {
        return Diagnosis.problem(
                TOKEN,
                words + ", so they take the API server for a stranger: edits are explained, and nothing is carried out",
                installation.rotatesToken()
                        ? "kubectl -n %s rollout restart %s"
                                .formatted(installation.namespace(), installation.deploymentResource())
                        : installation.installAgain());
    }

    private static Map<String, String> paths(Installation installation) {
        var paths = new LinkedHashMap<String, String>();
        installation
                .webhooks()
                .filter(webhook -> !webhook.path("name").asText().equals(WITHOUT))
                .forEach(webhook -> {
                    var client = webhook.path("clientConfig");
                    var path =
                            client.at("/service/path").asText(client.path("url").asText());
                    var matcher = PATH.matcher(path);
                    paths.put(webhook.path("name").asText(), matcher.find() ? matcher.group(1) : "");
                });
        return paths;
    }

    private static String webhooks(Map<String, String> paths, Predicate<String> which) {
        return paths.entrySet().stream()
                .filter(path -> which.test(path.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
    }

    /** One for each key, or a line for each behind the time when it was made. */
    private static Set<String> tokens(JsonNode data) {
        return Stream.of("token", "additional", "caller-tokens")
                .map(key -> new String(Base64.getDecoder().decode(data.path(key).asText()), UTF_8))
                .flatMap(String::lines)
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .filter(token -> !token.isEmpty())
                .collect(Collectors.toSet());
    }
}
