package dev.gitopsinterlock.edit;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.Preview;
import java.util.Optional;

/**
 * What keeps an edit from being carried out, known from the request alone.
 *
 * @param code of the denial in place of it; empty for the advice that the edit gets in any case
 * @param reason that the denial's sentence needs; empty for most
 * @param preview how it is told where the policy asks what would become of the edit
 */
public record Obstacle(Optional<GuidanceCode> code, String reason, Preview preview) {

    /** Which ends in the usual advice. */
    public static Obstacle never(String why) {
        return new Obstacle(Optional.empty(), "", new Preview("never", why));
    }

    /** Which has an advice of its own. */
    public static Obstacle of(GuidanceCode code, Preview preview) {
        return new Obstacle(Optional.of(code), "", preview);
    }
}
