package dev.gitopsinterlock.system.atlas;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** When a case of a row holds. The words are those of the atlas, and other tools depend on them. */
public enum Condition {
    ALWAYS("Whatever the object and the edit."),
    FIELD_ADDED("The edit sets the whole field, which the live object does not have."),
    FIELD_ADDED_OR_REMOVED("The edit adds or removes the whole field."),
    EMPTY_FIELD_ADDED_OR_REMOVED("The edit adds or removes the whole field, and there is nothing in it."),
    MARKED_IMMUTABLE("The live object has `immutable: true`."),
    CLAIM_BOUND("The live claim is bound to a volume (`status.phase` is `Bound`)."),
    RESIZED_WITH_PARALLELISM("The Job is Indexed, and afterwards `completions` and `parallelism` have the same value."),
    COMPLETIONS_REMOVED("The Job is Indexed, and the edit takes `completions` away."),
    JOB_NEVER_STARTED(
            "The live Job is suspended, has no `status.startTime`, and its controller has reported the condition `Suspended`."),
    JOB_NEVER_STARTED_NOT_REPORTED(
            "The live Job is suspended and has no `status.startTime`, but its controller has not reported the condition"
                    + " `Suspended`."),
    JOB_STOPPED(
            "The live Job is suspended, was started before, and has stopped: the condition `Suspended`, and no active Pods."),
    OTHERWISE("None of the other cases of the row holds.");

    private final String sentence;

    Condition(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    /** As the atlas writes it. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
