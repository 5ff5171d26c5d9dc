package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Wording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The advice for a refused Job edit: facts, and the words that people read.
 *
 * <p>Promises of the words: one line; the remedy first; "field is immutable", because tools look for that; field paths
 * and object names, never values; never the character sequence {@code map[}, at which Argo CD cuts a message; a message
 * under {@value Denial#MAX_LENGTH} characters.
 *
 * @param code what is advised
 * @param requester who sent the edit
 * @param job the Job
 * @param fields paths of the fields that cannot change, in the order of the API reference; never values
 * @param reason what the advice's sentence needs beside its code; empty for most
 */
public record JobEditGuidance(
        GuidanceCode code, Recipient requester, ObjectName job, List<String> fields, String reason) implements Denial {

    /** kubectl prints every cause on a line of its own; more than this helps nobody. */
    private static final int MAX_CAUSES = 10;

    private static final int MAX_LOGGED = 20;
    private static final int UNPROCESSABLE = 422;

    public JobEditGuidance(GuidanceCode code, Recipient requester, ObjectName job, List<String> fields) {
        this(code, requester, job, fields, "");
    }

    public JobEditGuidance {
        fields = List.copyOf(fields);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("a refused edit names at least one field");
        }
    }

    /** For clients that read the message: Argo CD, Flux, Helm, Fleet. */
    public String message(GuidancePages pages) {
        var became = code.equals(GuidanceCode.OLD_JOB_GONE) ? " is gone" : " was not changed";
        var before = remedy(pages) + " Job " + Wording.cut(job.namespace()) + "/" + Wording.cut(job.name()) + became
                + ", field is immutable: ";
        var after = ". " + pages.link(code.token());
        return before + listed(fields, MAX_LENGTH - 1 - before.length() - after.length()) + after;
    }

    /** For clients that read the causes: kubectl, which drops the message. The first one carries the remedy. */
    public List<Cause> causes(GuidancePages pages) {
        var causes = new ArrayList<Cause>();
        for (var field : fields.stream().limit(MAX_CAUSES).toList()) {
            causes.add(
                    causes.isEmpty()
                            ? new Cause(field, remedy(pages) + " (field is immutable) " + pages.link(code.token()))
                            : new Cause(field, "field is immutable"));
        }
        return List.copyOf(causes);
    }

    /**
     * 422 with both a message and causes, because kubectl drops the message and everybody else the causes, and because
     * Argo CD's, Flux's and kubectl's own ways to delete and create depend on that code.
     */
    @Override
    public Status status(GuidancePages pages) {
        return new Status(
                UNPROCESSABLE,
                "Invalid",
                message(pages),
                Optional.of(new Details("batch", "Job", job.name(), causes(pages))));
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
        return annotations;
    }

    /** Thousands of fields can differ, and nobody reads a line of megabytes. */
    @Override
    public String summary() {
        var more = fields.size() - MAX_LOGGED;
        return "denied: code=%s fields=%s"
                .formatted(code.token(), more <= 0 ? fields : fields.subList(0, MAX_LOGGED) + " and " + more + " more");
    }

    @Override
    public boolean isRepeated() {
        return false;
    }

    /** What to do, as it stands in the message, in one line. */
    public String remedy(GuidancePages pages) {
        return pages.remedy(code.token())
                .replace("{kubectl}", requester.kubectl())
                .replace("{namespace}", inCommand(job.namespace(), "<namespace>"))
                .replace("{name}", inCommand(job.name(), "<name>"))
                .replace("{reason}", Wording.printable(reason));
    }

    private static String inCommand(String name, String placeholder) {
        return name.length() <= Wording.MAX_NAME ? name : placeholder;
    }

    /** As many paths as fit and how many are left out; {@code spec} where not even one fits. */
    private static String listed(List<String> fields, int room) {
        var text = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            var more = " and %d more".formatted(fields.size() - i);
            var next = (i == 0 ? "" : ", ") + fields.get(i);
            var last = i == fields.size() - 1;
            if (text.length() + next.length() + (last ? 0 : more.length()) > room) {
                return i == 0 ? "spec" : text + more;
            }
            text.append(next);
        }
        return text.toString();
    }
}
