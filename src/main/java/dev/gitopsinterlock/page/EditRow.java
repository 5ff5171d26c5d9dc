package dev.gitopsinterlock.page;

import dev.gitopsinterlock.status.EditOutcome;
import dev.gitopsinterlock.status.RecentEdit;
import dev.gitopsinterlock.status.When;
import java.time.Instant;

/**
 * A line of the last edits.
 *
 * @param last when it came, the last time
 */
public record EditRow(When last, RecentEdit edit) {

    static EditRow of(RecentEdit edit, Instant now) {
        return new EditRow(When.of(edit.at(), now), edit);
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
        return edit.times() > 1;
    }
}
