package dev.gitopsinterlock.kinds;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.Preview;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.guidance.RefusedFields;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.tool.Tool;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The advice for a refused edit, with what {@link RefusedFields} promises.
 *
 * @param code what is advised
 * @param requester who sent the edit
 * @param owner another tool that the object's source lives in
 * @param resource the object's kind in commands
 * @param refused the object, and its fields that cannot change
 * @param reason what the advice's sentence needs beside its code; empty for most
 * @param preview what would have become of it under Replace, where the policy asks for that
 */
public record RefusedObjectEdit(
        GuidanceCode code,
        Tool requester,
        Optional<Tool> owner,
        String resource,
        RefusedFields refused,
        String reason,
        Optional<Preview> preview)
        implements RefusedEdit {

    /** Of a StatefulSet all that cannot change is in there. */
    private static final FieldPath SPEC = FieldPath.ROOT.field("spec");

    static RefusedObjectEdit of(ObjectEdit edit, List<FieldPath> refused) {
        var kind = edit.kind();
        var fields = new RefusedFields(
                kind.group(),
                kind.name(),
                edit.object(),
                refused.stream().map(FieldPath::toString).toList(),
                refused.stream().map(field -> kind.phrase(field, edit.minor())).toList());
        return of(edit, kind.advice().of(refused, edit.before(), edit.after()), fields, "");
    }

    static RefusedObjectEdit of(ObjectEdit edit, GuidanceCode code, List<String> fields, String reason) {
        return of(
                edit,
                code,
                new RefusedFields(
                        edit.kind().group(),
                        edit.kind().name(),
                        edit.object(),
                        fields,
                        Collections.nCopies(fields.size(), edit.kind().phrase(SPEC, edit.minor()))),
                reason);
    }

    private static RefusedObjectEdit of(ObjectEdit edit, GuidanceCode code, RefusedFields refused, String reason) {
        return new RefusedObjectEdit(
                code, edit.tool(), edit.otherOwner(), edit.kind().singular(), refused, reason, Optional.empty());
    }

    @Override
    public Status status(GuidancePages pages) {
        return refused.status(
                remedy(pages),
                code.equals(GuidanceCode.STATEFUL_SET_GONE) ? "is gone" : "was not changed",
                pages.link(code.token()));
    }

    private String remedy(GuidancePages pages) {
        var template = pages.remedy(code.token());
        var remedy = ownersPart(template)
                + remedy(template, resource, refused, requester, owner.orElse(requester))
                        .replace("{reason}", Wording.printable(reason));
        return preview.map(known -> known.after(remedy)).orElse(remedy);
    }

    @Override
    public RefusedObjectEdit with(Preview known) {
        return new RefusedObjectEdit(code, requester, owner, resource, refused, reason, Optional.of(known));
    }

    /** What comes before a deletion: the owner may make the object again at once. */
    private String ownersPart(String template) {
        return owner.filter(other -> template.contains("{kubectl} delete "))
                .map(other -> "First make the change in what %s applies: otherwise this %s comes back as it was. "
                        .formatted(other.profile().title(), refused.kind()))
                .orElse("");
    }

    /**
     * What a page says to do with an object, in one line.
     *
     * @param template of the page, with placeholders
     * @param kind of the object
     * @param reader whose words are used
     */
    public static String remedy(String template, String kind, ObjectName object, Tool reader) {
        var refused = new RefusedFields("", kind, object, List.of());
        return remedy(template, kind.toLowerCase(Locale.ROOT), refused, reader, reader);
    }

    /** The kind's way, and how the change is sent again. */
    private static String remedy(String template, String resource, RefusedFields refused, Tool reader, Tool sender) {
        var where = refused.object().namespace().isEmpty() ? "" : "-n {namespace} ";
        return refused.named(template.replace("{kubectl} ", reader.kubectl() + " " + where)
                .replace("{resource}", resource)
                .replace("{kind}", refused.kind())
                .replace("{again}", sender.profile().again()));
    }
}
