package dev.gitopsinterlock.status;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A denial of ours about a Job, as it stands in what a tool says. Whoever may write there can forge it, so nothing of it
 * is repeated but what has the form of a name.
 *
 * @param code of the advice
 * @param job that was not changed
 * @param fields paths of what cannot change, as far as they were named
 */
public record QuotedDenial(String code, ObjectName job, List<String> fields) {

    /** By which it is told from what other webhooks say. */
    private static final String WEBHOOK = "jobs.gitops-interlock.dev";

    private static final Pattern END = Pattern.compile(
            " Job (?<namespace>[a-z0-9.-]+)/(?<name>[a-z0-9.-]+) (?:was not changed|is gone), field is immutable:"
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
        return END.matcher(text.substring(begin))
                .results()
                .map(found -> new QuotedDenial(
                        found.group("code"),
                        new ObjectName(found.group("namespace"), found.group("name")),
                        fields(found.group("fields"))))
                .distinct()
                .toList();
    }

    private static List<String> fields(String text) {
        return List.of(text.replaceFirst(" and [0-9]+ more$", "").split(", ", -1)).stream()
                .filter(FIELD.asMatchPredicate())
                .toList();
    }

    /** What its page says to do; empty where this needs a reason that the page does not know, or there is no page. */
    public Optional<String> remedy(GuidancePages pages) {
        return Optional.ofNullable(pages.remedies().get(code))
                .filter(template -> !template.contains(UNTOLD_REASON))
                .map(template ->
                        new JobEditGuidance(new GuidanceCode(code), Tool.UNKNOWN, job, List.of("spec")).remedy(pages));
    }
}
