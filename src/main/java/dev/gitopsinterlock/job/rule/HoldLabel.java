package dev.gitopsinterlock.job.rule;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.HoldRestarts;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.PolicySettings;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.Optional;

/**
 * The label on a Job's Pods by which their Node is not restarted, as new Jobs get it by policy, and beside it, where that is wanted,
 * the annotation by which Karpenter leaves the Node alone. A Job that has one of them already, with whatever value, keeps that.
 */
final class HoldLabel {

    private static final String KEY = PolicySettings.HOLD_RESTARTS.annotation();
    private static final JsonPointer LABEL = PatchBuilder.at("spec", "template", "metadata", "labels", KEY);
    private static final JsonPointer ANNOTATION = annotation(KEY);
    private static final JsonPointer DO_NOT_DISRUPT = annotation("karpenter.sh/do-not-disrupt");
    private static final String TRUE = "true";

    private HoldLabel() {}

    /**
     * An annotation on the template itself is nearer than any policy. A Job with a selector of its own gets nothing: a PUT of its
     * manifest cannot be told from one of the live Job, and so would not get it back.
     */
    static void give(PatchBuilder job, Policy.Values policy) {
        if (GeneratedFields.hasManualSelector(job.object())) {
            return;
        }
        var holds = Optional.of(job.object().at(ANNOTATION))
                .filter(JsonNode::isTextual)
                .flatMap(word -> PolicySettings.HOLD_RESTARTS.parse(word.asText()))
                .orElse(policy.holdRestarts());
        if (job.object().at(LABEL).isMissingNode() && isFor(job.object(), holds)) {
            job.set(LABEL, TRUE);
        }
        if (policy.doNotDisrupt()
                && job.object().at(LABEL).asText().equals(TRUE)
                && job.object().at(DO_NOT_DISRUPT).isMissingNode()) {
            job.set(DO_NOT_DISRUPT, TRUE);
        }
    }

    private static boolean isFor(JsonNode job, HoldRestarts holds) {
        var marks = new ToolMetadata(job);
        return switch (holds) {
            case NONE -> false;
            case HOOKS -> marks.isArgoCdHook() || marks.isHelmHook();
            case ALL -> true;
        };
    }

    /** A PUT of a manifest lacks what the policy gave the Job, and the API server would refuse it for that. */
    static void putBack(JsonNode live, PatchBuilder submitted) {
        if (GeneratedFields.isPutOfManifest(submitted.object())
                && live.at(LABEL).isTextual()) {
            putBack(LABEL, live, submitted);
            putBack(DO_NOT_DISRUPT, live, submitted);
        }
    }

    private static void putBack(JsonPointer field, JsonNode live, PatchBuilder submitted) {
        if (live.at(field).isTextual() && submitted.object().at(field).isMissingNode()) {
            submitted.set(field, live.at(field));
        }
    }

    private static JsonPointer annotation(String key) {
        return PatchBuilder.at("spec", "template", "metadata", "annotations", key);
    }
}
