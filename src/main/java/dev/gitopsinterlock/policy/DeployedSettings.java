package dev.gitopsinterlock.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the service's Deployment sets by its environment, by the ends of the variables' names.
 *
 * @param words as they are written; empty for one that is in a Secret
 * @param secrets the names of these Secrets
 */
public record DeployedSettings(Map<String, String> words, Map<String, String> secrets) {

    private static final String PREFIX = "GITOPS_INTERLOCK_";

    public DeployedSettings {
        words = Map.copyOf(words);
        secrets = Map.copyOf(secrets);
    }

    /** None of anything that is no Deployment. */
    public static DeployedSettings of(JsonNode deployment) {
        var words = new HashMap<String, String>();
        var secrets = new HashMap<String, String>();
        for (var container : deployment.at("/spec/template/spec/containers")) {
            for (var variable : container.path("env")) {
                var name = variable.path("name").asText();
                if (name.startsWith(PREFIX)) {
                    var setting = name.substring(PREFIX.length());
                    var secret = variable.at("/valueFrom/secretKeyRef/name");
                    words.put(setting, variable.path("value").asText());
                    if (secret.isTextual()) {
                        secrets.put(setting, secret.textValue());
                    }
                }
            }
        }
        return new DeployedSettings(words, secrets);
    }

    public Optional<String> word(String setting) {
        return Optional.ofNullable(words.get(setting));
    }

    /** The name of the Secret that it is in. */
    public Optional<String> secret(String setting) {
        return Optional.ofNullable(secrets.get(setting));
    }
}
