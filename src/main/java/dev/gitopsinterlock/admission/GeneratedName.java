package dev.gitopsinterlock.admission;

import java.util.UUID;
import java.util.regex.Pattern;

/** Names that begin with another one, as the API server generates them. */
public final class GeneratedName {

    /** What the API server draws from: no vowels, nothing that looks like something else. */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX = 5;
    private static final Pattern BY_API_SERVER = Pattern.compile("[" + ALPHABET + "]{" + SUFFIX + "}");
    private static final int LONGEST = 63;

    private GeneratedName() {}

    /**
     * For {@code generateName}: short enough that the name becomes a label.
     *
     * @param room that something else behind the name needs, in characters
     */
    public static String base(String name, int room) {
        var cut = name.substring(0, Math.min(name.length(), LONGEST - SUFFIX - 1 - room));
        return cut.replaceAll("[.-]+$", "") + "-";
    }

    /** Whether the API server, which cuts a long base, can have made the name of it. */
    public static boolean isOf(String base, String name) {
        var end = name.length() - SUFFIX;
        return end > 0
                && base.startsWith(name.substring(0, end))
                && BY_API_SERVER.matcher(name.substring(end)).matches();
    }

    /** A name made from a base and a seed: equal seeds give equal names. */
    public static String of(String base, UUID seed) {
        var suffix = new StringBuilder();
        var rest = seed.getMostSignificantBits() ^ seed.getLeastSignificantBits();
        for (int i = 0; i < SUFFIX; i++) {
            suffix.append(ALPHABET.charAt((int) Long.remainderUnsigned(rest, ALPHABET.length())));
            rest = Long.divideUnsigned(rest, ALPHABET.length());
        }
        return base + suffix;
    }
}
