package dev.gitopsinterlock.check;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.List;
import java.util.Map;

/** Requests as a tool would send them, for rules that judge requests. */
final class ImaginedChange {

    static final Requester SOMEBODY = new Requester("", "", List.of(), Map.of());

    private static final String SOME_NAMESPACE = "<namespace>";
    private static final JsonPointer SERVICE_ACCOUNT = JsonPointer.compile("/spec/template/spec/serviceAccount");
    private static final JsonPointer SERVICE_ACCOUNT_NAME =
            JsonPointer.compile("/spec/template/spec/serviceAccountName");

    private ImaginedChange() {}

    /** A new Job, as its manifest has it. */
    static Change creation(ObjectNode target, Tool by) {
        return sent(Operation.CREATE, MissingNode.getInstance(), target, by);
    }

    /** A live Job that is patched to what a manifest says. */
    static Change edit(KnownJob known, JsonNode target, Tool by) {
        return sent(
                Operation.UPDATE,
                known.live(),
                known.patched(target, by.delivery().method().apply(new ToolMetadata(target))),
                by);
    }

    /** The same by a PUT: what the API server generated is not in a manifest. */
    static Change asPut(Change change) {
        var sent = new PatchBuilder(change.after());
        GeneratedFields.takeOut(sent);
        return change.with(sent.object());
    }

    /**
     * The same by a patch, which cannot take the service account's name away: the API server has it under a second,
     * deprecated name, too, and fills the first one in from there.
     */
    static Change asPatch(Change change) {
        var name = change.before().at(SERVICE_ACCOUNT_NAME);
        var other = change.after().at(SERVICE_ACCOUNT);
        var isKept = name.isTextual()
                && change.after().at(SERVICE_ACCOUNT_NAME).isMissingNode()
                && (other.isMissingNode() || other.equals(name));
        return isKept
                ? change.with(new PatchBuilder(change.after())
                        .set(SERVICE_ACCOUNT_NAME, name)
                        .object())
                : change;
    }

    static Change sent(Operation operation, JsonNode before, ObjectNode after, Tool by) {
        var id = ObjectId.of(after);
        var change = Change.of(
                ResourceType.JOB,
                operation,
                new ObjectName(id.namespace().isEmpty() ? SOME_NAMESPACE : id.namespace(), id.name()),
                before,
                by == Tool.UNKNOWN ? after : by.delivery().sent(after),
                SOMEBODY,
                by.delivery().manager(),
                "",
                false);
        return by == Tool.UNKNOWN ? change : change.by(by);
    }
}
