package dev.gitopsinterlock.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.policy.InstalledSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The words that count, as the service shows them: by property, without those that are not set. Whoever looks from outside
 * reads them by the same declarations.
 */
public final class EffectiveSettings {

    /** In place of a word that nobody may see. */
    private static final String SECRET = "(secret)";

    /** A stand-in for a caller token: means the same to whoever only needs to know that there is one. */
    public static final String ANY_TOKEN = "0".repeat(20);

    private EffectiveSettings() {}

    static ObjectNode shown(Map<String, String> words) {
        var shown = JsonNodeFactory.instance.objectNode();
        for (var setting : InterlockConfig.ALL) {
            var word = setting.word(words);
            if (!word.isEmpty()) {
                shown.put(setting.property(), setting.isSecret() ? SECRET : word);
            }
        }
        return shown;
    }

    /**
     * The settings of an installation.
     *
     * @param shown by one of its Pods; empty where none does, and its Deployment has to tell
     */
    public static InstalledSettings of(Optional<JsonNode> shown, JsonNode deployment) {
        var variables = new HashMap<String, JsonNode>();
        for (var container : deployment.at("/spec/template/spec/containers")) {
            container
                    .path("env")
                    .forEach(each -> variables.put(each.path("name").asText(), each));
        }
        var words = new HashMap<String, String>();
        for (var setting : InterlockConfig.ALL) {
            var given = shown.isPresent()
                    ? shown.get().path(setting.property())
                    : variables.getOrDefault(setting.variable(), MissingNode.getInstance());
            if (!given.isMissingNode()) {
                var text = given.path("value").asText(given.asText());
                words.put(setting.name(), setting.isSecret() ? ANY_TOKEN : text);
            }
        }
        if (shown.isEmpty()) {
            // older ones do not know how
            words.putIfAbsent(InterlockConfig.EVENTS_REFUSED_EDITS.name(), "false");
        }
        for (var setting : InterlockConfig.ALL) {
            words.put(setting.name(), setting.word(words));
        }
        return new InstalledSettings(
                words,
                Optional.ofNullable(variables.get(InterlockConfig.CALLER_TOKEN.variable()))
                        .map(variable ->
                                variable.at("/valueFrom/secretKeyRef/name").textValue()));
    }
}
