package dev.gitopsinterlock.admission;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Why a request ends, with what to do about it. Each feature has denials of its own. */
public interface Denial {

    /** The longest message of a denial, in characters. */
    int MAX_LENGTH = 1000;

    /** What the client gets. */
    Status status(GuidancePages pages);

    /** Why, as the metric of all reviews has it; stable. */
    String token();

    /** What tells it from others of its token, for a metric of its own; empty where there is none. No unbounded value. */
    Map<String, String> labels();

    /** What would have been done in place of it, where the policy asks for that, as a metric has it; one of few. */
    default Optional<String> previewToken() {
        return Optional.empty();
    }

    /** For the audit log, by their keys: values that stay the same if the API server asks again. */
    Map<String, String> auditAnnotations();

    /** What the log says about this denial, most important first. */
    List<Fact> facts();

    /** Whether it is one of many whose beginning and end are told elsewhere, and not worth a line of its own. */
    boolean isRepeated();

    /**
     * The API's Status, as far as it differs between denials.
     *
     * @param code of HTTP
     * @param reason as the API spells it
     * @param message in one line
     */
    record Status(int code, String reason, String message, Optional<Details> details) {}

    /**
     * For clients that read the causes and not the message.
     *
     * @param group of the object's kind
     * @param name of the object
     */
    record Details(String group, String kind, String name, List<Cause> causes) {
        public Details {
            causes = List.copyOf(causes);
        }
    }

    /** One finding as kubectl prints it: {@code <field>: <message>}. */
    record Cause(String field, String message) {}
}
