package dev.gitopsinterlock.guidance;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The labels and annotations of one domain that a tool knows, for telling which ones it does not.
 *
 * @param tool as a sentence names it
 * @param domain that their keys are in
 * @param likeDomains that are often written in its place, beside those that are nearly spelt so
 * @param names behind the domain that can have been meant
 * @param aliases names that others have for the same, in lower case and without hyphens
 * @param others that the tool writes, or reads on other objects
 * @param isComplete whether there are no others in this domain
 */
public record KnownKeys(
        String tool,
        String domain,
        Set<String> likeDomains,
        List<String> names,
        Map<String, String> aliases,
        Set<String> others,
        boolean isComplete) {

    private static final int TYPING_ERRORS = 2;

    /** Nobody needs more to see what went wrong. */
    private static final int MOST = 3;

    public KnownKeys {
        likeDomains = Set.copyOf(likeDomains);
        names = List.copyOf(names);
        aliases = Map.copyOf(aliases);
        others = Set.copyOf(others);
    }

    /** Those that it does not know, in the order of their names. */
    public List<UnknownKey> unknown(Collection<String> keys) {
        return new TreeSet<>(keys)
                .stream()
                        .filter(UnknownKey::isPrintable)
                        .flatMap(key -> unknown(key).stream())
                        .limit(MOST)
                        .toList();
    }

    private Optional<UnknownKey> unknown(String key) {
        var slash = key.indexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        var name = key.substring(slash + 1);
        if (key.startsWith(domain + "/")) {
            var meant = meant(name);
            return names.contains(name) || others.contains(name) || (meant.isEmpty() && !isComplete)
                    ? Optional.empty()
                    : Optional.of(new UnknownKey(tool, key, meant));
        }
        return names.contains(name) && isMistaken(key.substring(0, slash))
                ? Optional.of(new UnknownKey(tool, key, Optional.of(domain + "/" + name)))
                : Optional.empty();
    }

    private boolean isMistaken(String other) {
        return likeDomains.contains(other) || distance(other.toLowerCase(Locale.ROOT), domain) <= TYPING_ERRORS;
    }

    /** A quarter of the letters may be wrong; hyphens and case do not count. */
    private Optional<String> meant(String name) {
        var letters = letters(name);
        return Optional.ofNullable(aliases.get(letters))
                .or(() -> names.stream()
                        .filter(known -> distance(letters, letters(known))
                                <= Math.max(1, letters(known).length() / 4))
                        .min(Comparator.comparingInt(known -> distance(letters, letters(known)))))
                .map(known -> domain + "/" + known);
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** How many characters to add, leave out or change (Levenshtein). */
    private static int distance(String one, String other) {
        var row = new int[other.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            var diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                var changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
