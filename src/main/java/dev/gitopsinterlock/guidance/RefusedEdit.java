package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Wording;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A denial of an edit that the API server would refuse as immutable: the advice in the words that people read, with what
 * {@link RefusedFields} promises, and what log, metric and audit say of it.
 *
 * @param code what is advised
 * @param requester who sent the edit
 * @param owner another tool that the object's source lives in, where the advice has no page of its own for that
 * @param refused the object, and its fields that cannot change
 * @param reason what the advice's sentence needs beside its code; empty for most
 * @param preview what would have become of the edit under Replace, where the policy asks for that
 */
public record RefusedEdit(
        GuidanceCode code,
        Recipient requester,
        Optional<Recipient> owner,
        RefusedFields refused,
        String reason,
        Optional<Preview> preview)
        implements Denial {

    public RefusedEdit {
        if (refused.fields().isEmpty()) {
            throw new IllegalArgumentException("a refused edit names at least one field");
        }
    }

    /** This refusal with what would have become of the edit. */
    public RefusedEdit with(Preview known) {
        return new RefusedEdit(code, requester, owner, refused, reason, Optional.of(known));
    }

    @Override
    public Status status(GuidancePages pages) {
        return refused.status(
                remedy(pages), code.isObjectGone() ? "is gone" : "was not changed", pages.link(code.token()));
    }

    /** What to do, as it stands in the message, in one line. */
    public String remedy(GuidancePages pages) {
        var template = pages.remedy(code.token());
        var remedy = ownersPart(template)
                + remedy(template, refused, requester, owner.orElse(requester))
                        .replace("{reason}", Wording.printable(reason));
        return preview.map(known -> known.after(remedy)).orElse(remedy);
    }

    /** What comes before a deletion: the owner may make the object again at once. */
    private String ownersPart(String template) {
        return owner.filter(other -> template.contains("{kubectl} delete "))
                .map(other -> "First make the change in what %s applies: otherwise this %s comes back as it was. "
                        .formatted(other.title(), refused.kind()))
                .orElse("");
    }

    /**
     * What a page says to do with an object, in one line.
     *
     * @param template of the page, with placeholders
     * @param kind of the object
     * @param reader whose words are used
     */
    public static String remedy(String template, String kind, ObjectName object, Recipient reader) {
        return remedy(template, new RefusedFields("", kind, object, List.of(), List.of()), reader, reader);
    }

    /** The kind's way, and how the change is sent again. A page that is of kinds without a Namespace, too, leaves that out. */
    private static String remedy(String template, RefusedFields refused, Recipient reader, Recipient sender) {
        var where = refused.object().namespace().isEmpty() ? "" : "-n {namespace} ";
        return refused.named(template.replace("{kubectl} delete ", "{kubectl} " + where + "delete ")
                .replace("{kubectl} get ", "{kubectl} " + where + "get ")
                .replace("{kubectl}", reader.kubectl())
                .replace("{resource}", refused.kind().toLowerCase(Locale.ROOT))
                .replace("{kind}", refused.kind())
                .replace("{again}", sender.again()));
    }

    @Override
    public String token() {
        return "immutable";
    }

    @Override
    public Map<String, String> labels() {
        return Map.of("code", code.token(), "tool", requester.label());
    }

    @Override
    public Map<String, String> auditAnnotations() {
        var annotations = new LinkedHashMap<String, String>();
        annotations.put("guidance", code.token());
        annotations.put("requester", requester.label());
        preview.ifPresent(known -> annotations.put("preview", known.token()));
        return annotations;
    }

    @Override
    public List<Fact> facts() {
        return Stream.concat(
                        Stream.of(new Fact("code", code.token()), new Fact("fields", refused.logged())),
                        preview.map(known -> new Fact("preview", known.token())).stream())
                .toList();
    }

    @Override
    public Optional<String> previewToken() {
        return preview.map(Preview::token);
    }

    @Override
    public boolean isRepeated() {
        return false;
    }
}
