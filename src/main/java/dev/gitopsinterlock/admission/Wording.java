package dev.gitopsinterlock.admission;

import java.util.List;
import java.util.regex.Pattern;

/** Limits for what goes into a line of ours. */
public final class Wording {

    /** What nearly every name fits in, because it becomes a label. Longer ones are cut, and not put into commands. */
    private static final int MAX_NAME = 63;

    /** The longest quotation of somebody else's words, in characters. */
    private static final int MAX_REASON = 300;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9.:_-]{0,251}[A-Za-z0-9])?");

    private Wording() {}

    /** Whether it has the form of a name of Kubernetes: nothing that a shell or a URL takes for more. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** A name for a command to copy: the placeholder where it is none, or too long. */
    public static String inCommand(String name, String placeholder) {
        return isName(name) && name.length() <= MAX_NAME ? name : placeholder;
    }

    /** A name, cut to its longest. */
    public static String cut(String name) {
        return cut(name, MAX_NAME);
    }

    /** A text, cut with an ellipsis where it is longer than there is room. */
    public static String cut(String text, int room) {
        return text.length() <= room ? text : text.substring(0, room - 3) + "...";
    }

    /** Words of others: in one line, of a length that leaves room for ours, and nothing that Argo CD cuts. */
    public static String printable(String words) {
        var line = words.replaceAll("[\\p{C}\\p{Z}\\s]+", " ")
                .replace("map[", "map [")
                .strip();
        var cut = cut(line, MAX_REASON);
        return cut.endsWith(".") && !cut.endsWith("...") ? cut.substring(0, cut.length() - 1) : cut;
    }

    /** The first names, and how many more there are. */
    public static String listed(List<String> names, int most) {
        return names.size() <= most
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, most)) + " and " + (names.size() - most) + " more";
    }
}
