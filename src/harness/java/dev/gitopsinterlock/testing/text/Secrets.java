package dev.gitopsinterlock.testing.text;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** What may be written where others read it by mistake. */
public final class Secrets {

    private Secrets() {}

    /**
     * Letters and digits, 16 to 64, of which at least one is a digit, as passwords and tokens have one: it is no word
     * of a policy or of a tool, not even a mistyped one. It may be a number.
     */
    public static Arbitrary<String> any() {
        return Arbitraries.strings()
                .alpha()
                .numeric()
                .ofMinLength(16)
                .ofMaxLength(64)
                .map(random -> random.substring(1) + "7")
                .filter(secret -> secret.chars().distinct().count() > 5);
    }
}
