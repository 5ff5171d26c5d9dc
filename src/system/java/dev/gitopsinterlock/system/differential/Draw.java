package dev.gitopsinterlock.system.differential;

import java.util.Objects;
import java.util.SplittableRandom;

/** Seeds for the many draws of a run. */
final class Draw {

    private Draw() {}

    /** The same for the same arguments, and unlike that of the next number. */
    static long seed(long run, String what, int number) {
        return new SplittableRandom(run * 1_000_003 + Objects.hash(what, number)).nextLong();
    }
}
