package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.admission.Wording;

/**
 * An object that was deleted and could not be recreated. The denial that says so does not reach every client: the API
 * server looks for it once more, and answers that there is none; or creates it, for a server-side apply.
 *
 * @param why in one line
 */
public record ObjectGone(String kind, String name, String why) implements Warning {

    /** Less of the reason is not worth its brackets. */
    private static final int MIN_REASON = 10;

    /** The warning, with as much of the reason as fits. */
    @Override
    public String text(GuidancePages pages) {
        var whole = "apply again if missing: %s %s was deleted, not recreated".formatted(kind, Wording.cut(name));
        var room = MAX_LENGTH - whole.length() - " ()".length();
        var reason = Wording.printable(why);
        return reason.length() > room && room <= MIN_REASON ? whole : whole + " (" + Wording.cut(reason, room) + ")";
    }
}
