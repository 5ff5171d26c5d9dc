package dev.gitopsinterlock.policy;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What the service of an installation is set to, as far as that shows outside.
 *
 * @param words that count, defaults among them, by the names of all settings; empty for one that is not set, and any other for a
 *     secret
 * @param tokenSecret the name of the Secret with the caller token that somebody chose, if there is one
 */
public record InstalledSettings(Map<String, String> words, Optional<String> tokenSecret) {

    public InstalledSettings {
        words = Map.copyOf(words);
    }

    public String word(String setting) {
        return Objects.requireNonNull(words.get(setting), setting);
    }
}
