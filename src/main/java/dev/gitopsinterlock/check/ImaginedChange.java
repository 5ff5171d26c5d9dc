package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.argocd.IgnoredDifferences;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.List;
import java.util.Map;

/** Requests as a tool would send them, for rules that judge requests. */
final class ImaginedChange {

    static final Requester SOMEBODY = new Requester("", "", List.of(), Map.of());

    private static final String SOME_NAMESPACE = "<namespace>";

    private ImaginedChange() {}

    /** A new object, as its manifest has it. */
    static Change creation(GuardedKind kind, ObjectNode target, Tool by) {
        return sent(kind, Operation.CREATE, MissingNode.getInstance(), target, by);
    }

    /** A live object that is patched to what a manifest says, but for what the tool leaves as it is. */
    static Change edit(GuardedKind kind, KnownObject known, JsonNode target, Tool by, IgnoredDifferences ignored) {
        var method = by.delivery().method().apply(new ToolMetadata(target));
        var patched = kind.manifests().patched(known.live(), known.manifest(), target, method);
        return sent(kind, Operation.UPDATE, known.live(), ignored.keptIn(patched, known.live()), by);
    }

    static Change sent(GuardedKind kind, Operation operation, JsonNode before, ObjectNode after, Tool by) {
        var id = ObjectId.of(after);
        var namespace = id.namespace().isEmpty() && kind.namespaced() ? SOME_NAMESPACE : id.namespace();
        var change = Change.of(
                kind.type(),
                operation,
                new ObjectName(namespace, id.name()),
                before,
                by == Tool.UNKNOWN ? after : by.delivery().sent(after),
                SOMEBODY,
                by.delivery().manager(),
                "",
                false);
        return by == Tool.UNKNOWN ? change : change.by(by);
    }
}
