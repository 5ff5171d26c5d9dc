package dev.gitopsinterlock.check;

import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Optional;

/**
 * What will become of a live object at its next change.
 *
 * @param object its name
 * @param uid of the object
 * @param by in whose hands it is
 * @param refusal of the change that comes most often; empty where none is to be expected
 * @param advice about marks that do not do what they say, and what is not as it seems
 */
public record ScannedObject(ObjectId object, String uid, Tool by, Optional<Refusal> refusal, List<Advice> advice) {

    public ScannedObject {
        advice = List.copyOf(advice);
    }

    /** Whether there is anything to do about it. */
    public boolean isFine() {
        return refusal.isEmpty() && advice.isEmpty();
    }

    /**
     * A refusal that nobody has met yet.
     *
     * @param what changes, behind "when"
     * @param code with a page
     * @param remedy in one line
     */
    public record Refusal(String what, String code, String remedy) {}

    /**
     * A mark that does nothing, or something else; or an Application that is not what it seems.
     *
     * @param code as a check's findings have it
     * @param text what to write, in one line
     */
    public record Advice(String code, String text) {}
}
