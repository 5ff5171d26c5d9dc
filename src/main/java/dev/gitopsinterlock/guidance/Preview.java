package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.Wording;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What would have become of a refused edit under Replace.
 *
 * @param token in metric and audit log; one of few; stable
 * @param obstacle what would have stood in the way, in a few words; empty if nothing
 */
public record Preview(String token, String obstacle) {

    private static final int MAX_OBSTACLE = 160;
    private static final Pattern SAID = Pattern.compile("Preview: (under Replace it .{1,200}?)\\. [A-Z]");

    /** Nothing stands in the way. */
    public static final Preview REPLACED = new Preview("would_replace", "");

    /** What a denial of ours says of that, if it does. */
    public static Optional<String> in(String message) {
        var found = SAID.matcher(message);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** What would have become of it, in a few words, and by the token why not. */
    public String words() {
        return equals(REPLACED)
                ? "would have been replaced"
                : "would not have been replaced: " + token.replace('_', ' ');
    }

    /** A remedy with this behind it. */
    public String after(String remedy) {
        return remedy + " " + sentence();
    }

    private String sentence() {
        return obstacle.isEmpty()
                ? "Preview: under Replace it would have been replaced now; nothing stands in the way."
                : "Preview: under Replace it would not have been replaced now: %s."
                        .formatted(Wording.cut(Wording.printable(obstacle), MAX_OBSTACLE));
    }
}
