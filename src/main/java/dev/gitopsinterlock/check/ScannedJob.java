package dev.gitopsinterlock.check;

import java.util.List;
import java.util.Optional;

/**
 * What will become of a live Job at its next change.
 *
 * @param job its name
 * @param tool in whose hands it is, as a stable name
 * @param refusal of the next change of an image; empty where none is to be expected
 * @param advice about marks that do not do what they say
 */
public record ScannedJob(ObjectId job, String tool, Optional<Refusal> refusal, List<String> advice) {

    public ScannedJob {
        advice = List.copyOf(advice);
    }

    /** Whether there is anything to do about it. */
    public boolean isFine() {
        return refusal.isEmpty() && advice.isEmpty();
    }

    /**
     * A refusal that nobody has met yet.
     *
     * @param code with a page
     * @param remedy in one line
     */
    public record Refusal(String code, String remedy) {}
}
