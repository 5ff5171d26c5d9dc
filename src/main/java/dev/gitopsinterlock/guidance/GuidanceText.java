package dev.gitopsinterlock.guidance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Turns advice into the words that people read.
 *
 * <p>Promises: one line; the remedy first; the words "field is immutable", because tools look for them; field paths
 * and object names, never values; never the character sequence {@code map[}, at which Argo CD cuts a message; a
 * message under {@value Denial#MAX_LENGTH} characters and a warning of at most {@value Warning#MAX_LENGTH}.
 *
 * @param pages where the pages of the codes are, ending in a slash
 * @param remedies what to do, for each code of a refused edit, with placeholders: {@code {name}} and {@code {namespace}}
 *     of the Job, {@code {kubectl}} as the requester calls it, {@code {reason}}. It always says what is lost, because it
 *     is followed in a hurry
 */
public record GuidanceText(String pages, Map<GuidanceCode, String> remedies) {

    /** kubectl prints every cause on a line of its own; more than this helps nobody. */
    private static final int MAX_CAUSES = 10;

    /** What nearly every Job's name fits in, because it becomes a label. Longer ones are cut, and not in commands. */
    private static final int MAX_NAME = 63;

    /** Of what somebody else says. */
    private static final int MAX_REASON = 300;

    /** Less of it is not worth its brackets. */
    private static final int MIN_REASON = 10;

    private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z][A-Za-z-]{0,19}");

    public GuidanceText {
        remedies = Map.copyOf(remedies);
    }

    /** One finding as kubectl prints it: {@code <field>: <message>}. */
    public record Cause(String field, String message) {}

    /** For clients that read the message: Argo CD, Flux, Helm, Fleet. */
    public String message(JobEditGuidance guidance) {
        var became = guidance.code().equals(GuidanceCode.OLD_JOB_GONE) ? " is gone" : " was not changed";
        var before = remedy(guidance) + " Job " + named(guidance.job()) + became + ", field is immutable: ";
        var after = ". " + link(guidance);
        return before + fields(guidance.fields(), Denial.MAX_LENGTH - 1 - before.length() - after.length()) + after;
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
    public String warning(Warning warning) {
        return switch (warning) {
            case UnknownPolicyValue finding -> warning(finding);
            case NotSwitchedOn finding -> warning(finding);
            case UncertainEdit uncertain -> warning(uncertain);
            case CarriedOut done -> warning(done);
            case JobGone gone -> warning(gone);
            case NameKept kept ->
                "use kubectl create for generate-name; the name was kept: "
                        + kept.why().words();
            case LintFinding advice -> advice.words();
            case UnknownKey unknown -> warning(unknown);
            case NotJudged notJudged ->
                "make the object smaller to have it judged: gitops-interlock let it through, it is too large";
            case SuspendKept kept ->
                "use the queue to stop Job %s: its spec.suspend stays false".formatted(cut(kept.job()));
            case RolloutAhead ahead -> new RolloutText(pages).warning(ahead);
        };
    }

    private static String warning(UnknownKey unknown) {
        var key = unknown.key();
        var before = unknown.meant()
                .map("use %s: Argo CD does not know "::formatted)
                .orElse("check the spelling of a key that Argo CD does not know: ");
        var room = Warning.MAX_LENGTH - before.length();
        return before + (key.length() <= room ? key : key.substring(0, room - 3) + "...");
    }

    /** The API server's own words follow it, if they come. */
    private String warning(UncertainEdit uncertain) {
        var token = uncertain.refused().token();
        var whole = "if Kubernetes rejects this, see " + pages + token;
        return whole.length() <= Warning.MAX_LENGTH
                ? whole
                : "if Kubernetes rejects this, see gitops-interlock's page " + token;
    }

    private static String warning(CarriedOut done) {
        var job = cut(done.job());
        return switch (done.how()) {
            case REPLACED -> "Job %s was replaced and runs again".formatted(job);
            case WOULD_REPLACE -> "Job %s would be replaced and run again".formatted(job);
            case ALREADY_REPLACED -> "Job %s has this edit already, as other webhooks let it be".formatted(job);
            case RUN_STARTED -> "runs as Job %s; the live Job keeps its old spec".formatted(job);
            case WOULD_START_RUN -> "would run as Job %s; the live Job keeps its old spec".formatted(job);
            case ALREADY_RUN -> "this edit has run already, nothing was started; the live Job keeps its old spec";
        };
    }

    /** With as much of the reason as fits. */
    private static String warning(JobGone gone) {
        var whole = "apply again if missing: Job %s was deleted, not recreated".formatted(cut(gone.job()));
        var room = Warning.MAX_LENGTH - whole.length() - " ()".length();
        var why = printable(gone.why());
        return why.length() <= room
                ? whole + " (" + why + ")"
                : room <= MIN_REASON ? whole : whole + " (" + why.substring(0, room - 3) + "...)";
    }

    private String warning(UnknownPolicyValue finding) {
        var last = finding.allowed().size() - 1;
        var allowed = last == 0
                ? finding.allowed().getFirst()
                : String.join(", ", finding.allowed().subList(0, last)) + " or "
                        + finding.allowed().getLast();
        var remedy = "use %s for %s on the %s"
                .formatted(allowed, finding.annotation(), finding.level().word());
        var complaint = PLAIN_WORD.matcher(finding.value()).matches() ? finding.value() : "its value";
        var whole = remedy + "; " + complaint + " is unknown";
        var withoutDomain =
                whole.replace(finding.annotation(), finding.annotation().replaceFirst(".*/", ""));
        return whole.length() <= Warning.MAX_LENGTH
                ? whole
                : withoutDomain.length() <= Warning.MAX_LENGTH ? withoutDomain : remedy;
    }

    private static String warning(NotSwitchedOn finding) {
        return "%s: %s on the %s has no effect: %s"
                .formatted(
                        finding.annotation().replaceFirst(".*/", ""),
                        finding.value(),
                        finding.level().word(),
                        finding.why());
    }

    private String link(JobEditGuidance guidance) {
        var token = guidance.code().token();
        return token + ": " + pages + token;
    }

    private String remedy(JobEditGuidance guidance) {
        return Objects.requireNonNull(remedies.get(guidance.code()), guidance.code()::token)
                .replace("{kubectl}", guidance.requester().kubectl())
                .replace("{namespace}", inCommand(guidance.job().namespace(), "<namespace>"))
                .replace("{name}", inCommand(guidance.job().name(), "<name>"))
                .replace("{reason}", printable(guidance.reason()));
    }

    /** Words of others: in one line, of a length that leaves room for ours, and nothing that Argo CD cuts. */
    private static String printable(String reason) {
        var line = reason.replaceAll("[\\p{Cntrl}\\s]+", " ")
                .replace("map[", "map [")
                .strip();
        var cut = line.length() <= MAX_REASON ? line : line.substring(0, MAX_REASON - 3) + "...";
        return cut.endsWith(".") && !cut.endsWith("...") ? cut.substring(0, cut.length() - 1) : cut;
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
