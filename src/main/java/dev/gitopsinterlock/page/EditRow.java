package dev.gitopsinterlock.page;

import dev.gitopsinterlock.guidance.Preview;
import dev.gitopsinterlock.status.EditOutcome;
import dev.gitopsinterlock.status.RecentReviews.Edit;
import dev.gitopsinterlock.status.RecentReviews.Seen;
import dev.gitopsinterlock.status.When;
import java.time.Instant;

/**
 * A line of the last edits.
 *
 * @param last when it came, the last time
 * @param preview what would have become of it, in words; empty where nobody asked
 */
public record EditRow(When last, long times, Edit edit, String preview) {

    static EditRow of(Seen seen, Instant now) {
        var preview = seen.edit().preview();
        return new EditRow(When.of(seen.last(), now), seen.times(), seen.edit(), words(preview));
    }

    private static String words(String preview) {
        if (preview.isEmpty()) {
            return "";
        }
        return preview.equals(Preview.REPLACED.token())
                ? "would have been replaced"
                : "would not have been replaced: " + preview.replace('_', ' ');
    }

    /** The name of its outcome's colour in the style sheet. */
    public String style() {
        return style(edit.outcome());
    }

    static String style(EditOutcome outcome) {
        return outcome.words().replace(' ', '-');
    }

    /** Whether it came more than once. */
    public boolean isRepeated() {
        return times > 1;
    }
}
