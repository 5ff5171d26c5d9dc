package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.admission.Wording;

/**
 * A Job that was deleted and could not be created anew. The denial that says so does not reach every client: the API
 * server looks for the Job once more, and answers that there is none; or creates it, for a server-side apply.
 *
 * @param why in one line
 */
public record JobGone(String job, String why) implements Warning {

    /** Less of the reason is not worth its brackets. */
    private static final int MIN_REASON = 10;

    /** With as much of the reason as fits. */
    @Override
    public String text(GuidancePages pages) {
        var whole = "apply again if missing: Job %s was deleted, not recreated".formatted(Wording.cut(job));
        var room = MAX_LENGTH - whole.length() - " ()".length();
        var reason = Wording.printable(why);
        return reason.length() > room && room <= MIN_REASON ? whole : whole + " (" + Wording.cut(reason, room) + ")";
    }
}
