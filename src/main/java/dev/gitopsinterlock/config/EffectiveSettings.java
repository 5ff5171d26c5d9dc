package dev.gitopsinterlock.config;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** The words that count, as the service shows them: by property, without those that are not set. */
final class EffectiveSettings {

    /** In place of a word that nobody may see. */
    private static final String SECRET = "(secret)";

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
}
