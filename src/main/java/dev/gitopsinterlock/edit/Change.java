package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.tool.FieldManager;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.ManagedFields;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Sender;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The facts of one request that creates or changes an object, each found out once. Immutable, but for the trees: they are the
 * request's own, and nobody changes them.
 *
 * @param type of the object
 * @param operation what is asked for
 * @param object its name; without a Namespace where it is in none
 * @param before the live object; a missing node on CREATE
 * @param after the object as it would be
 * @param requester who asks
 * @param fieldManager as the client sent it; empty where it sent none
 * @param manager whose the changed fields become, as far as the object tells
 * @param tool that sent the request; {@link Tool#UNKNOWN} where nothing tells
 * @param annotations of the object as submitted, where its policy is read
 * @param subresource empty for the object itself
 * @param dryRun whether nothing will be stored
 */
public record Change(
        ResourceType type,
        Operation operation,
        ObjectName object,
        JsonNode before,
        JsonNode after,
        Requester requester,
        String fieldManager,
        FieldManager manager,
        Tool tool,
        Map<String, String> annotations,
        String subresource,
        boolean dryRun) {

    /** From what the request says; the names of the parameters as above. */
    public static Change of(
            ResourceType type,
            Operation operation,
            ObjectName object,
            JsonNode before,
            JsonNode after,
            Requester requester,
            String fieldManager,
            String subresource,
            boolean dryRun) {
        var manager = ManagedFields.manager(before, after, fieldManager);
        return new Change(
                type,
                operation,
                object,
                before,
                after,
                requester,
                fieldManager,
                manager,
                ToolDetection.requester(new Sender(requester, manager, new ToolMetadata(after))),
                Collections.unmodifiableMap(ObjectMeta.texts(ObjectMeta.annotations(after))),
                subresource,
                dryRun);
    }

    /** This request about another object. */
    public Change with(JsonNode submitted) {
        return of(type, operation, object, before, submitted, requester, fieldManager, subresource, dryRun)
                .by(tool);
    }

    /** This request by a tool that is known, where the request alone may look like another's. */
    public Change by(Tool sender) {
        return new Change(
                type,
                operation,
                object,
                before,
                after,
                requester,
                fieldManager,
                manager,
                sender,
                annotations,
                subresource,
                dryRun);
    }

    /** What the log says about this edit. */
    public List<Fact> about() {
        return List.of(
                new Fact("tool", tool.label()),
                new Fact("kind", type.kind()),
                new Fact("object", object.toString()),
                new Fact("dryRun", String.valueOf(dryRun)));
    }

    /** The labels and annotations of the live object. */
    public ToolMetadata marks() {
        return new ToolMetadata(before);
    }

    /** Another tool that the object's source lives in. What a GitOps controller applies, it owns; some own by the same mark. */
    public Optional<Tool> otherOwner() {
        var own = tool.profile().ownership();
        return tool.reconciles()
                ? Optional.empty()
                : ToolDetection.owner(marks())
                        .filter(owner -> !owner.profile().ownership().equals(own));
    }

    /**
     * Whether Argo CD only wants to know what would come out: its Server-Side Diff. It sends dry runs for nothing else; a
     * sync's own are not sent at all.
     */
    public boolean isComparisonOfArgoCd() {
        return dryRun && tool == Tool.ARGO_CD && manager.method() == Method.APPLY;
    }

    /** Whether no rule judges this: what is no edit, other controllers' objects, what is on its way out, subresources. */
    public boolean isSkipped() {
        return operation != Operation.UPDATE || !subresource.isEmpty() || isForOthers() || isTerminating();
    }

    /** Whether a controller owns the object, such as a CronJob's a Job, or the control plane itself writes. */
    public boolean isForOthers() {
        return requester.isControlPlane() || controllers().findAny().isPresent();
    }

    /** The owner references of controllers that made the object and look after it: at most one, if the API server made it. */
    public Stream<JsonNode> controllers() {
        var known = operation == Operation.CREATE ? after : before;
        return known.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .filter(owner -> owner.path("controller").asBoolean());
    }

    /** Only the live object tells: a client can write anything into its own copy. */
    public boolean isTerminating() {
        return ObjectMeta.isTerminating(before);
    }
}
