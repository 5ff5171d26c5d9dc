package dev.gitopsinterlock.config;

import java.util.Locale;
import java.util.Map;

/**
 * A setting of the service.
 *
 * @param name of its property, without the prefix
 * @param type how its value is written
 * @param byDefault the word that counts where nobody says another; empty for one that is not set then
 * @param sentence what it does, in Markdown, where the sentence of the chart's value does not say it; else empty
 * @param isSecret whether nobody may see its value
 */
public record Setting<T>(String name, SettingType<T> type, String byDefault, String sentence, boolean isSecret) {

    /** What the names of all properties begin with. */
    public static final String PREFIX = "gitops-interlock.";

    public Setting {
        sentence = sentence.replace('\n', ' ');
    }

    public String property() {
        return PREFIX + name;
    }

    /** The environment variable of this setting. */
    public String variable() {
        return property().toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    }

    /** The word that counts: a wrong one does not. */
    String word(Map<String, String> words) {
        var word = words.getOrDefault(name, byDefault);
        return type.accepts(word) ? word : byDefault;
    }

    T in(Map<String, String> words) {
        return type.parse(word(words)).orElseThrow();
    }
}
