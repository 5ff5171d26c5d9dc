package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.admission.Wording;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An annotation that looks like one of Argo CD's and is none.
 *
 * @param key of a form that can be printed
 * @param meant Argo CD's own that is close to it
 */
public record UnknownKey(String key, Optional<String> meant) implements Warning {

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
        var before = meant.map("use %s: Argo CD does not know "::formatted)
                .orElse("check the spelling of a key that Argo CD does not know: ");
        return before + Wording.cut(key, MAX_LENGTH - before.length());
    }
}
