package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.carryout.LiveEdit;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.Optional;

/**
 * The facts of one request about an object of a {@link GuardedKind}. The trees are the request's own and are not to be
 * changed.
 *
 * @param kind of the object
 * @param operation what is asked for
 * @param object its name; without a Namespace where it is in none
 * @param before the live object
 * @param after the object as it would be
 * @param requester who asks
 * @param fieldManager as the client sent it; empty where it sent none
 * @param subresource empty for the object itself
 * @param dryRun whether nothing will be stored
 * @param minor the API server's minor version, by which its words differ; 0 where it is not known
 */
record ObjectEdit(
        GuardedKind kind,
        Operation operation,
        ObjectName object,
        JsonNode before,
        JsonNode after,
        Requester requester,
        String fieldManager,
        String subresource,
        boolean dryRun,
        int minor)
        implements LiveEdit {

    /** Another tool that the object's source lives in. What a GitOps controller applies, it owns. */
    Optional<Tool> otherOwner() {
        var tool = tool();
        return tool.reconciles()
                ? Optional.empty()
                : ToolDetection.owner(new ToolMetadata(before)).filter(owner -> owner != tool);
    }

    /** Other controllers' objects, the control plane's own writes, and whatever is on its way out. */
    boolean isNeverTouched() {
        return operation != Operation.UPDATE
                || !subresource.isEmpty()
                || requester.isControlPlane()
                || before.path("metadata").hasNonNull("deletionTimestamp")
                || before.path("metadata")
                        .path("ownerReferences")
                        .valueStream()
                        .anyMatch(owner -> owner.path("controller").asBoolean());
    }

    String annotation(String key) {
        return after.path("metadata").path("annotations").path(key).asText();
    }
}
