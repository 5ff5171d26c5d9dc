package dev.gitopsinterlock.cli.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.cli.output.Escape;
import dev.gitopsinterlock.gate.Holder.Jobs;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.status.Blocked;
import dev.gitopsinterlock.status.ForgottenSync;
import dev.gitopsinterlock.status.HeldRollout;
import dev.gitopsinterlock.status.ObservedRollout;
import dev.gitopsinterlock.status.QuotedDenial;
import dev.gitopsinterlock.status.RecentEdit;
import dev.gitopsinterlock.status.Status;
import dev.gitopsinterlock.tool.Tool;
import java.io.PrintWriter;
import java.util.List;

/** Our own format: {@code docs/status.md} describes it. */
final class StatusJson {

    private static final int VERSION = 1;

    private StatusJson() {}

    static void write(Status status, GuidancePages pages, PrintWriter out) {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("version", VERSION);
        root.put("at", status.at().toString());
        var blocked = root.putArray("blocked");
        status.blocked().forEach(each -> blocked(blocked.addObject(), each, pages));
        var forgotten = root.putArray("forgotten");
        status.forgotten().forEach(each -> forgotten(forgotten.addObject(), each));
        var held = root.putArray("held");
        status.held().forEach(each -> held(held.addObject(), each));
        var observed = root.putArray("observed");
        status.observed().forEach(each -> rollout(observed.addObject(), each));
        var observations = root.putArray("observations");
        status.observations().forEach(each -> observation(observations.addObject(), each));
        var edits = root.putArray("edits");
        status.edits().forEach(each -> edit(edits.addObject(), each));
        root.put(
                "policy",
                status.installed()
                        .map(installed ->
                                installed.jobs().cluster().onImmutableChange().configValue())
                        .orElse(null));
        var namespaces = root.putArray("namespaces");
        for (var policy : status.policies()) {
            var each = namespaces.addObject().put("name", policy.namespace());
            each.put(
                    "policy",
                    policy.onImmutableChange()
                            .map(OnImmutableChange::configValue)
                            .orElse(null));
            strings(each, "mistakes", policy.mistakes());
        }
        strings(root, "unread", status.unread());
        strings(root, "notes", status.notes());
        out.println(Escape.json(root));
    }

    private static void blocked(ObjectNode node, Blocked blocked, GuidancePages pages) {
        node.put("kind", blocked.kind());
        name(node, blocked.object());
        var denials = node.putArray("denials");
        blocked.denials().forEach(denial -> denial(denials.addObject(), denial, blocked.tool(), pages));
    }

    private static void forgotten(ObjectNode node, ForgottenSync forgotten) {
        name(node, forgotten.application());
        node.put("at", forgotten.failed().toString());
    }

    private static void denial(ObjectNode node, QuotedDenial denial, Tool reader, GuidancePages pages) {
        node.put("code", denial.code());
        name(node.put("kind", denial.kind()).putObject("object"), denial.object());
        strings(node, "fields", denial.fields());
        denial.remedy(pages, reader).ifPresent(remedy -> node.put("remedy", remedy));
    }

    private static void observation(ObjectNode node, ObservedRollout observed) {
        node.put("at", observed.at().toString());
        node.put("kind", observed.subject().kind());
        named(node, observed.subject().name());
        node.put("over", observed.isOver());
        node.put("note", observed.note());
    }

    private static void held(ObjectNode node, HeldRollout held) {
        rollout(node, held);
        node.put("command", held.scope().override());
    }

    private static void rollout(ObjectNode node, HeldRollout held) {
        node.put("kind", held.subject().kind());
        named(node, held.subject().name());
        node.put("since", held.since().toString());
        node.put("until", held.until().toString());
        var syncs = held.holder().syncs();
        strings(node, "syncs", syncs.applications());
        if (!syncs.kustomizations().isEmpty()) {
            strings(node, "kustomizations", syncs.kustomizations());
        }
        if (!syncs.announced().isEmpty()) {
            strings(node, "announced", syncs.announced());
        }
        held.nodes().forEach(name -> node.put("node", name));
        if (held.holder() instanceof Jobs(var jobs)) {
            strings(node, "jobs", jobs);
        }
    }

    private static void edit(ObjectNode node, RecentEdit edit) {
        node.put("at", edit.at().toString());
        node.put("outcome", edit.outcome().words());
        node.put("job", edit.isOfJob() ? edit.object().toString() : null);
        name(node.put("kind", edit.kind()).putObject("object"), edit.object());
        node.put("times", edit.times());
        node.put("about", edit.about());
    }

    private static void name(ObjectNode node, ObjectName name) {
        node.put("namespace", name.namespace()).put("name", name.name());
    }

    /** Without a Namespace where it is in none. */
    private static void named(ObjectNode node, ObjectName name) {
        if (!name.namespace().isEmpty()) {
            node.put("namespace", name.namespace());
        }
        node.put("name", name.name());
    }

    private static void strings(ObjectNode node, String name, List<String> values) {
        var list = node.putArray(name);
        values.forEach(list::add);
    }
}
