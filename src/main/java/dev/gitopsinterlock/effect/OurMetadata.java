package dev.gitopsinterlock.effect;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.PolicySetting;

/** What we write into objects ourselves. */
public final class OurMetadata {

    /** On an object that took another one's place; see {@link ReplacedMark}. */
    public static final String REPLACED = PolicySetting.PREFIX + "replaced";

    /** Only in the answer to a dry run, so that tools that compare see a difference. */
    public static final String WOULD_REPLACE = PolicySetting.PREFIX + "would-replace";

    /** Marks the answer to a dry run whose request itself would be refused. */
    public static final String WOULD_BE_REFUSED = PolicySetting.PREFIX + "would-be-refused";

    /** Only in an answer about an object that is gone, so that the API server has something to store and finds out. */
    public static final String REPLACING = PolicySetting.PREFIX + "replacing";

    /** On a live Job: {@code <number>:<hash>} of the last edit that ran as a Job of its own. */
    public static final String LAST_RUN = PolicySetting.PREFIX + "last-run";

    /** On a replaced Job that had not begun: how often it was touched. */
    public static final String RETRIGGERED = PolicySetting.PREFIX + "retriggered";

    /** Label of a Job that an edit of another one started: the other one's name, cut to a label's length. */
    public static final String RUN_OF = PolicySetting.PREFIX + "run-of";

    private OurMetadata() {}

    /** Whether the Job was made by us, in another one's place or beside it. */
    public static boolean isOurs(JsonNode job) {
        return job.at(annotation(REPLACED)).isTextual() || isRun(job);
    }

    /** Whether an edit of another Job started it; no manifest has its name. */
    public static boolean isRun(JsonNode job) {
        return job.at(PatchBuilder.at("metadata", "labels", RUN_OF)).isTextual();
    }

    public static JsonPointer annotation(String key) {
        return PatchBuilder.at("metadata", "annotations", key);
    }
}
