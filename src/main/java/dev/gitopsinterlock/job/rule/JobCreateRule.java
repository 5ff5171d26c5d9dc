package dev.gitopsinterlock.job.rule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.EditReason;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.guidance.NameKept;
import dev.gitopsinterlock.guidance.NameKept.Why;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.TtlDefault;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a new Job what the policy wants and the Job does not say, where that harms nobody; a CronJob's only what keeps
 * its Node from restarting. Never refuses.
 */
public final class JobCreateRule {

    private JobCreateRule() {}

    /**
     * Decides about one request.
     *
     * @param levels the policy's levels
     * @param namespace annotations of the Job's Namespace, as far as they are known
     */
    public static Decision decide(Change change, Policy.Levels levels, Map<String, String> namespace) {
        if (change.operation() != Operation.CREATE
                || !change.subresource().isEmpty()
                || (change.isForOthers() && !isOfCronJob(change))
                || levels.isExempt(change.object().namespace())
                || OurMetadata.isOurs(change.after())) {
            return Decision.allow(EditReason.SKIPPED);
        }
        var policy = levels.resolve(change.object().namespace(), change.annotations(), namespace)
                .values();
        var job = new PatchBuilder(change.after());
        if (policy.onImmutableChange() != OnImmutableChange.IGNORE) {
            HoldLabel.give(job, policy);
        }
        if (change.isForOthers()) {
            return allow(job, EditReason.SKIPPED);
        }
        TtlDefault.of(change.after(), change.tool(), policy.ttlSecondsAfterFinished())
                .ifPresent(seconds -> TtlDefault.set(job, seconds));
        var name = change.after().path("metadata").path("name");
        if (!policy.generateName() || !name.isTextual() || name.asText().isEmpty()) {
            return allow(job);
        }
        var obstacle = obstacle(change);
        if (obstacle.isEmpty()) {
            job.set(
                    PatchBuilder.at("metadata", "generateName"),
                    GeneratedFields.nameBase(name.asText(), change.after().path("spec")));
            job.remove(PatchBuilder.at("metadata", "name"));
        }
        return allow(job).withWarnings(obstacle.map(NameKept::new).map(List::of).orElse(List.of()));
    }

    /** Whether it is a CronJob's, made by its controller, or by a person in its name. */
    private static boolean isOfCronJob(Change change) {
        return change.controllers()
                .anyMatch(owner -> owner.path("kind").asText().equals("CronJob")
                        && owner.path("apiVersion").asText().startsWith("batch/"));
    }

    private static Decision allow(PatchBuilder job) {
        return allow(job, EditReason.NO_IMMUTABLE_CHANGE);
    }

    private static Decision allow(PatchBuilder job, EditReason otherwise) {
        var patch = job.patch();
        return Decision.allow(patch.isEmpty() ? otherwise : EditReason.DEFAULTED, patch);
    }

    /** What stands in the way of another name. */
    private static Optional<Why> obstacle(Change change) {
        var job = change.after();
        var marks = new ToolMetadata(job);
        var how = operations(job);
        if (how.contains("Apply")) {
            return Optional.of(Why.SERVER_SIDE_APPLY);
        }
        if (!how.contains("Update")) {
            return Optional.of(Why.UNKNOWN_CLIENT);
        }
        if (marks.isArgoCdHook() || marks.isHelmHook()) {
            return Optional.of(Why.HOOK);
        }
        if (ToolDetection.owner(marks).isPresent() || change.tool().bringsBack()) {
            return Optional.of(Why.TRACKED);
        }
        if (!job.path("metadata").path("ownerReferences").isEmpty()) {
            return Optional.of(Why.OWNED);
        }
        return GeneratedFields.nameTheJob(job) ? Optional.of(Why.NAMED_BY_ITS_TEMPLATE) : Optional.empty();
    }

    private static List<String> operations(JsonNode job) {
        return job.path("metadata").path("managedFields").findValuesAsText("operation");
    }
}
