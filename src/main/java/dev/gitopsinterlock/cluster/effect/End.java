package dev.gitopsinterlock.cluster.effect;

import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.RecreateFailed;

/**
 * How the part of a replacement after the first deletion ended.
 *
 * @param isFinal nobody is to go on with it
 */
record End(Outcome outcome, boolean isFinal) {

    static End of(Outcome outcome) {
        return new End(outcome, true);
    }

    /** The object is, or may be, gone, and somebody has to look again. */
    static End notYet(String why) {
        return new End(new RecreateFailed(why), false);
    }
}
