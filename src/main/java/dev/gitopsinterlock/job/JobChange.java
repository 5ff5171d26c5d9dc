package dev.gitopsinterlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.carryout.LiveEdit;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.List;
import java.util.stream.Stream;

/**
 * The facts of one request about a Job. The trees are the request's own and are not to be changed.
 *
 * @param operation what is asked for
 * @param object its name
 * @param before the live Job; a missing node on CREATE
 * @param after the Job as it would be
 * @param requester who asks
 * @param fieldManager as the client sent it; empty where it sent none
 * @param subresource empty for the Job itself
 * @param dryRun whether nothing will be stored
 */
public record JobChange(
        Operation operation,
        ObjectName object,
        JsonNode before,
        JsonNode after,
        Requester requester,
        String fieldManager,
        String subresource,
        boolean dryRun)
        implements LiveEdit {

    /**
     * Whether Argo CD only wants to know what would come out: its Server-Side Diff. It sends dry runs for nothing else; a
     * sync's own are not sent at all.
     */
    public boolean isComparisonOfArgoCd() {
        return dryRun && tool() == Tool.ARGO_CD && manager().method() == Method.APPLY;
    }

    public ToolMetadata marks() {
        return new ToolMetadata(before);
    }

    /** Other controllers' Jobs and the control plane's own writes are left alone. */
    public boolean isForOthers() {
        return hasController() || requester.isControlPlane();
    }

    /** Whether it is a CronJob's, made by its controller, or by a person in its name. */
    public boolean isOfCronJob() {
        return controllers()
                .anyMatch(owner -> owner.path("kind").asText().equals("CronJob")
                        && owner.path("apiVersion").asText().startsWith("batch/"));
    }

    /** A Job that another controller made and looks after: a CronJob's, a JobSet's, a chart controller's. */
    private boolean hasController() {
        return controllers().findAny().isPresent();
    }

    private Stream<JsonNode> controllers() {
        var known = operation == Operation.CREATE ? after : before;
        return known.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .filter(owner -> owner.path("controller").asBoolean());
    }

    /** Only the live Job tells: a client can write anything into its own copy. */
    public boolean isTerminating() {
        return before.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** For the log. */
    public List<Fact> about() {
        return List.of(
                new Fact("tool", tool().label()),
                new Fact("job", object.toString()),
                new Fact("dryRun", String.valueOf(dryRun)));
    }
}
