package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.admission.Wording;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A label or annotation that looks like one of a tool's and is none.
 *
 * @param tool as a sentence names it
 * @param key of a form that can be printed
 * @param meant the tool's own that is close to it
 */
public record UnknownKey(String tool, String key, Optional<String> meant) implements Warning {

    private static final Pattern PRINTABLE = Pattern.compile("[A-Za-z0-9._/-]{1,120}");

    public UnknownKey {
        if (!isPrintable(key)) {
            throw new IllegalArgumentException("the key cannot be printed");
        }
    }

    /** What is no key of Kubernetes could be anything, and is not said again. */
    public static boolean isPrintable(String key) {
        return PRINTABLE.matcher(key).matches();
    }

    @Override
    public String text(GuidancePages pages) {
        var before = meant.map(known -> "use %s: %s does not know ".formatted(known, tool))
                .orElse("check the spelling of a key that %s does not know: ".formatted(tool));
        return before + Wording.cut(key, MAX_LENGTH - before.length());
    }
}
