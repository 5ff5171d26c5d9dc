package dev.gitopsinterlock.effect;

import java.util.List;

/** What came of an {@link Effect}. */
public sealed interface Outcome {

    /** The spelling of this outcome in metrics; stable. */
    default String token() {
        return switch (this) {
            case Done _ -> "done";
            case Superseded _ -> "superseded";
            case RightsMissing _ -> "rights_missing";
            case NotImpersonated _ -> "not_impersonated";
            case Refused _ -> "refused";
            case Unavailable _ -> "unavailable";
            case RecreateFailed _ -> "recreate_failed";
        };
    }

    /** Done; in a dry run: nothing would have stood in the way. */
    record Done() implements Outcome {}

    /** The live Job was deleted or replaced by somebody else in the same moment; nothing more is to be done by us. */
    record Superseded() implements Outcome {}

    /**
     * The requester may not do this; nothing was changed.
     *
     * @param verbs that are missing
     */
    record RightsMissing(List<String> verbs) implements Outcome {
        public RightsMissing {
            verbs = List.copyOf(verbs);
        }
    }

    /**
     * The requester is one in whose name nobody else may act; nothing was changed.
     *
     * @param why in a few words of ours
     */
    record NotImpersonated(String why) implements Outcome {}

    /**
     * The new Job would be refused; nothing was changed.
     *
     * @param words of whoever refuses it, in one line
     */
    record Refused(String words) implements Outcome {}

    /**
     * Not possible at this moment, for a reason of ours or of the API server; nothing was changed.
     *
     * @param why in a few words of ours
     */
    record Unavailable(String why) implements Outcome {}

    /**
     * The old Job is deleted and there is no new one.
     *
     * @param why the new one could not be created, in one line
     */
    record RecreateFailed(String why) implements Outcome {}
}
