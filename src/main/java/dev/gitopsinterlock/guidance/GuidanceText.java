package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Turns advice into the words that people read.
 *
 * <p>Promises: one line; the remedy first; the words "field is immutable", because tools look for them; field paths
 * and object names, never values; never the character sequence {@code map[}, at which Argo CD cuts a message; a
 * message under {@value #MAX_MESSAGE} characters and a warning of at most {@value #MAX_WARNING}.
 *
 * @param pages where the pages of the codes are, ending in a slash
 */
public record GuidanceText(String pages) {

    public static final int MAX_MESSAGE = 1000;
    public static final int MAX_WARNING = 120;

    /** kubectl prints every cause on a line of its own; more than this helps nobody. */
    private static final int MAX_CAUSES = 10;

    /** What nearly every Job's name fits in, because it becomes a label. Longer ones are cut, and not in commands. */
    private static final int MAX_NAME = 63;

    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z][A-Za-z-]{0,19}");

    /** One finding as kubectl prints it: {@code <field>: <message>}. */
    public record Cause(String field, String message) {}

    /** For clients that read the message: Argo CD, Flux, Helm, Fleet. */
    public String message(JobEditGuidance guidance) {
        var before = remedy(guidance) + " Job " + named(guidance.job()) + " was not changed, field is immutable: ";
        var after = ". " + link(guidance);
        return before + fields(guidance.fields(), MAX_MESSAGE - 1 - before.length() - after.length()) + after;
    }

    /** For clients that read the causes: kubectl, which drops the message. The first one carries the remedy. */
    public List<Cause> causes(JobEditGuidance guidance) {
        var causes = new ArrayList<Cause>();
        for (var field : guidance.fields().stream().limit(MAX_CAUSES).toList()) {
            causes.add(
                    causes.isEmpty()
                            ? new Cause(field, remedy(guidance) + " (field is immutable) " + link(guidance))
                            : new Cause(field, "field is immutable"));
        }
        return List.copyOf(causes);
    }

    /** For every client, beside an answer. */
    public String warning(Notice notice) {
        return switch (notice) {
            case UnknownPolicyValue finding -> warning(finding);
            case UncertainEdit uncertain -> warning(uncertain);
        };
    }

    /** The API server's own words follow it, if they come. */
    private String warning(UncertainEdit uncertain) {
        var token = uncertain.refused().token();
        var whole = "should Kubernetes refuse this: " + pages + token;
        return whole.length() <= MAX_WARNING
                ? whole
                : "should Kubernetes refuse this, see gitops-interlock's page " + token;
    }

    private String warning(UnknownPolicyValue finding) {
        var remedy = "use %s for %s on the %s"
                .formatted(
                        String.join(" or ", finding.allowed()),
                        finding.annotation(),
                        finding.level().word());
        var complaint = PLAIN_WORD.matcher(finding.value()).matches() ? finding.value() : "its value";
        var whole = remedy + "; " + complaint + " is unknown";
        return whole.length() <= MAX_WARNING ? whole : remedy;
    }

    private String link(JobEditGuidance guidance) {
        var token = guidance.code().token();
        return token + ": " + pages + token;
    }

    private static String remedy(JobEditGuidance guidance) {
        return Remedy.of(guidance.code())
                .replace("{kubectl}", guidance.requester() == Tool.OC ? "oc" : "kubectl")
                .replace("{namespace}", inCommand(guidance.job().namespace(), "<namespace>"))
                .replace("{name}", inCommand(guidance.job().name(), "<name>"));
    }

    private static String inCommand(String name, String placeholder) {
        return name.length() <= MAX_NAME ? name : placeholder;
    }

    private static String named(ObjectName job) {
        return cut(job.namespace()) + "/" + cut(job.name());
    }

    private static String cut(String name) {
        return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME - 3) + "...";
    }

    /** As many paths as fit and how many are left out; {@code spec} where not even one fits. */
    private static String fields(List<String> fields, int room) {
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
