package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.carryout.OurMetadata;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.rule.JobForecast;
import dev.gitopsinterlock.job.rule.JobLintRule;
import dev.gitopsinterlock.tool.FieldManager;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Sender;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.Optional;

/**
 * Looks at live Jobs and imagines the change that comes most often, another image. Jobs of other controllers, such as a
 * CronJob's, and runs of our own are nobody's to change and are left out.
 *
 * @param pages with the remedies
 */
public record JobScan(GuidancePages pages) {

    private static final String ANOTHER_IMAGE = "another-image";

    /** What will happen to a Job; empty for one that nobody changes. */
    public Optional<ScannedJob> of(JsonNode job) {
        if (!(job instanceof ObjectNode live)) {
            return Optional.empty();
        }
        var by = deployer(live);
        var change = ImaginedChange.sent(Operation.UPDATE, live, changed(live), by);
        if (change.isForOthers() || change.isTerminating() || OurMetadata.isRun(live)) {
            return Optional.empty();
        }
        var id = ObjectId.of(live);
        return Optional.of(new ScannedJob(
                new ObjectId(id.group(), "Job", id.namespace(), id.name()),
                live.path("metadata").path("uid").asText(),
                by,
                refusal(change, by),
                JobLintRule.decide(ImaginedChange.sent(Operation.CREATE, live, live, by), NewJobFindings.LEVELS)
                        .warnings()
                        .stream()
                        .map(warning -> new ScannedJob.Advice(NewJobFindings.code(warning), warning.text(pages)))
                        .toList()));
    }

    private Optional<ScannedJob.Refusal> refusal(Change change, Tool by) {
        return switch (by.delivery().treats(change.after(), change.before())) {
            case NOT_EDITED -> Optional.empty();
            case EDITED, PUT, EDITED_IF_LEFT_OVER ->
                JobForecast.of(
                                change,
                                new JobForecast.Circumstances(JobState.of(change.before()), false, Optional.empty()))
                        .filter(forecast -> !forecast.refused().isEmpty())
                        .flatMap(forecast -> forecast.guidance().map(this::refusal));
        };
    }

    private ScannedJob.Refusal refusal(RefusedEdit guidance) {
        return new ScannedJob.Refusal(guidance.code().token(), guidance.remedy(pages));
    }

    /** Whose it is by its marks; else who wrote its template last. */
    private static Tool deployer(ObjectNode job) {
        var marked = ToolDetection.deployer(job);
        return marked != Tool.UNKNOWN
                ? marked
                : Optional.of(ToolDetection.requester(
                                new Sender(ImaginedChange.SOMEBODY, writer(job), new ToolMetadata(job))))
                        .filter(Tool.deployers()::contains)
                        .orElse(Tool.UNKNOWN);
    }

    private static FieldManager writer(JsonNode job) {
        var writer = FieldManager.UNKNOWN;
        for (var entry : job.at("/metadata/managedFields")) {
            if (!entry.at("/fieldsV1/f:spec/f:template").isMissingNode()) {
                var method = entry.path("operation").asText().equals("Apply") ? Method.APPLY : Method.UPDATE;
                writer = new FieldManager(entry.path("manager").asText(), method);
            }
        }
        return writer;
    }

    private static ObjectNode changed(ObjectNode live) {
        var changed = live.deepCopy();
        if (changed.at("/spec/template/spec/containers/0") instanceof ObjectNode container) {
            container.put("image", ANOTHER_IMAGE);
        }
        return changed;
    }
}
