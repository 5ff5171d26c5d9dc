package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.GeneratedName;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.Forecast;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.NextChange;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.tool.FieldManager;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Sender;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.Treatment;
import java.util.Optional;

/**
 * Looks at live objects and imagines the change that comes most often. Objects of other controllers, such as a CronJob's
 * Jobs, and runs of our own are nobody's to change and are left out.
 *
 * @param pages with the remedies
 */
public record ObjectScan(GuidancePages pages) {

    /**
     * What will happen to an object; empty for one that nobody changes.
     *
     * @param kind of which there is such a change
     */
    public Optional<ScannedObject> of(GuardedKind kind, JsonNode object) {
        if (!(object instanceof ObjectNode live)) {
            return Optional.empty();
        }
        var by = deployer(live);
        var asItIs = ImaginedChange.sent(kind, Operation.UPDATE, live, live, by);
        if (asItIs.isForOthers() || asItIs.isTerminating() || OurMetadata.isRun(live)) {
            return Optional.empty();
        }
        var id = ObjectId.of(live);
        return Optional.of(new ScannedObject(
                new ObjectId(kind.group(), kind.name(), id.namespace(), id.name()),
                live.path("metadata").path("uid").asText(),
                by,
                kind.manifests().nextChange().flatMap(next -> refusal(kind, live, next, by)),
                kind.manifests().mistakes(ImaginedChange.sent(kind, Operation.CREATE, live, live, by)).stream()
                        .map(warning -> new ScannedObject.Advice(NewObjectFindings.code(warning), warning.text(pages)))
                        .toList()));
    }

    private Optional<ScannedObject.Refusal> refusal(GuardedKind kind, ObjectNode live, NextChange next, Tool by) {
        return next.imagined()
                .apply(live)
                .filter(after -> !hasGeneratedName(live))
                .map(after -> ImaginedChange.sent(kind, Operation.UPDATE, live, after, by))
                .filter(change -> by.delivery().treats(change.after(), live) != Treatment.NOT_EDITED)
                .flatMap(change -> forecast(kind, change))
                .filter(forecast -> !forecast.refused().isEmpty())
                .flatMap(Forecast::guidance)
                .map(guidance -> refusal(next, guidance));
    }

    /** No manifest has such a name, so that the next change makes another object. */
    private static boolean hasGeneratedName(JsonNode live) {
        return GeneratedName.isOf(live.at("/metadata/generateName").asText(), ObjectMeta.name(live));
    }

    private static Optional<Forecast> forecast(GuardedKind kind, Change change) {
        return Forecast.of(kind, change, kind.manifests().judgement(Optional.empty()));
    }

    private ScannedObject.Refusal refusal(NextChange next, RefusedEdit guidance) {
        return new ScannedObject.Refusal(next.what(), guidance.code().token(), guidance.remedy(pages));
    }

    /** Whose it is by its marks; else who wrote its spec last. */
    private static Tool deployer(ObjectNode live) {
        var marked = ToolDetection.deployer(live);
        return marked != Tool.UNKNOWN
                ? marked
                : Optional.of(ToolDetection.requester(
                                new Sender(ImaginedChange.SOMEBODY, writer(live), new ToolMetadata(live))))
                        .filter(Tool.deployers()::contains)
                        .orElse(Tool.UNKNOWN);
    }

    private static FieldManager writer(JsonNode live) {
        var writer = FieldManager.UNKNOWN;
        for (var entry : live.at("/metadata/managedFields")) {
            if (!entry.at("/fieldsV1/f:spec/f:template").isMissingNode()) {
                var method = entry.path("operation").asText().equals("Apply") ? Method.APPLY : Method.UPDATE;
                writer = new FieldManager(entry.path("manager").asText(), method);
            }
        }
        return writer;
    }
}
