package dev.gitopsinterlock.guidance;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.Denial.Cause;
import dev.gitopsinterlock.admission.Denial.Details;
import dev.gitopsinterlock.admission.Denial.Status;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a refused edit is told, whatever its kind.
 *
 * <p>Promises of the words: one line; the remedy first; the API server's own phrase for the field, so that tools that look for
 * "field is immutable" and then delete and create do so exactly where they would without us; field paths and object
 * names, never values; never the character sequence {@code map[}, at which Argo CD cuts a message; a message under
 * {@value Denial#MAX_LENGTH} characters.
 *
 * @param group of the object's kind; empty for the core's
 * @param kind of the object
 * @param object its name; without a Namespace where it is in none
 * @param fields paths of the fields that cannot change, at least one, in the order of the API reference; never values
 * @param phrases what the API server says of each, in the same order
 */
public record RefusedFields(String group, String kind, ObjectName object, List<String> fields, List<String> phrases) {

    /** What it says of most fields (apimachinery, {@code validation.FieldImmutableErrorMsg}). */
    public static final String USUAL_PHRASE = "field is immutable";

    /** kubectl prints every cause on a line of its own; more than this helps nobody. */
    private static final int MAX_CAUSES = 10;

    private static final int MAX_LOGGED = 20;
    private static final int UNPROCESSABLE = 422;

    public RefusedFields {
        fields = List.copyOf(fields);
        phrases = List.copyOf(phrases);
    }

    /**
     * 422 with both a message and causes, because kubectl drops the message and everybody else the causes, and because
     * Argo CD's, Flux's and kubectl's own ways to delete and create depend on that code.
     *
     * @param remedy what to do, in one line
     * @param became what happened to the object
     * @param link where there is more
     */
    public Status status(String remedy, String became, String link) {
        return new Status(
                UNPROCESSABLE,
                "Invalid",
                message(remedy, became, link),
                Optional.of(new Details(group, kind, object.name(), causes(remedy, link))));
    }

    /** For clients that read the message: Argo CD, Flux, Helm, Fleet. */
    String message(String remedy, String became, String link) {
        var said = phrases.stream().distinct().collect(joining(" and "));
        var before = "%s %s %s %s, %s: ".formatted(remedy, kind, name(), became, said);
        var after = ". " + link;
        return before + listed(Denial.MAX_LENGTH - 1 - before.length() - after.length()) + after;
    }

    /** For clients that read the causes: kubectl, which drops the message. The first one carries the remedy. */
    List<Cause> causes(String remedy, String link) {
        var causes = new ArrayList<Cause>();
        for (int i = 0; i < Math.min(fields.size(), MAX_CAUSES); i++) {
            var phrase = phrases.get(i);
            causes.add(new Cause(fields.get(i), i == 0 ? "%s (%s) %s".formatted(remedy, phrase, link) : phrase));
        }
        return List.copyOf(causes);
    }

    /** The fields for the log. Thousands of fields can differ, and nobody reads a line of megabytes. */
    public String logged() {
        var more = fields.size() - MAX_LOGGED;
        return more <= 0 ? fields.toString() : fields.subList(0, MAX_LOGGED) + " and " + more + " more";
    }

    /** A remedy with the object's names in its placeholders. */
    public String named(String remedy) {
        return remedy.replace("{namespace}", Wording.inCommand(object.namespace(), "<namespace>"))
                .replace("{name}", Wording.inCommand(object.name(), "<name>"));
    }

    private String name() {
        var name = Wording.cut(object.name());
        return object.namespace().isEmpty() ? name : Wording.cut(object.namespace()) + "/" + name;
    }

    /** As many paths as fit and how many are left out; {@code spec} where not even one fits. */
    private String listed(int room) {
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
