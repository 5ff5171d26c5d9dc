package dev.gitopsinterlock.status;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A denial of ours, as it stands in what a tool says. Whoever may write there can forge it, so nothing of it
 * is repeated but what has the form of a name.
 *
 * @param code of the advice
 * @param kind of the object that was not changed
 * @param object its name; without a Namespace where it is in none
 * @param fields paths of what cannot change, as far as they were named
 */
public record QuotedDenial(String code, String kind, ObjectName object, List<String> fields) {

    /** By which it is told from what other webhooks say. */
    private static final String WEBHOOK = ".gitops-interlock.dev";

    private static final Pattern END =
            Pattern.compile(" (?<kind>[A-Z][A-Za-z]{2,40}) (?:(?<namespace>[a-z0-9.-]+)/)?(?<name>[A-Za-z0-9.:_-]+)"
                    + " (?:was not changed|is gone), (?:Forbidden: |[A-Za-z .]){2,200}:"
                    + " (?<fields>.{1,1000}?)\\. (?<code>[A-Z][A-Za-z0-9]{2,60})\\b");
    private static final Pattern FIELD = Pattern.compile("[A-Za-z0-9_./\\[\\]-]{1,200}");
    private static final String UNTOLD_REASON = "{reason}";

    public QuotedDenial {
        fields = List.copyOf(fields);
    }

    /** All in a text, each once; none where the end of the words was cut off. */
    public static List<QuotedDenial> in(String text) {
        var begin = text.indexOf(WEBHOOK);
        if (begin < 0) {
            return List.of();
        }
        return ends(text.substring(begin)).distinct().toList();
    }

    /** The one in an Event of ours, which no API server has put a webhook's name before; empty if it is cut off. */
    static Optional<QuotedDenial> inOurs(String note) {
        return ends(note).findFirst();
    }

    private static Stream<QuotedDenial> ends(String text) {
        return END.matcher(text)
                .results()
                .map(found -> new QuotedDenial(
                        found.group("code"),
                        found.group("kind"),
                        new ObjectName(
                                Optional.ofNullable(found.group("namespace")).orElse(""), found.group("name")),
                        fields(found.group("fields"))));
    }

    private static List<String> fields(String text) {
        return List.of(text.replaceFirst(" and [0-9]+ more$", "").split(", ", -1)).stream()
                .filter(FIELD.asMatchPredicate())
                .toList();
    }

    /**
     * What its page says to do; empty where this needs a reason that the page does not know, or there is no page.
     *
     * @param reader the tool that was denied
     */
    public Optional<String> remedy(GuidancePages pages, Tool reader) {
        return Optional.ofNullable(pages.remedies().get(code))
                .filter(template -> !template.contains(UNTOLD_REASON))
                .map(template -> RefusedEdit.remedy(template, kind, object, reader));
    }
}
