package dev.gitopsinterlock.crd;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.immutability.FieldPath;
import java.util.regex.Pattern;

/**
 * A rule about an object before and after a change.
 *
 * @param text in CEL, with {@code self} and {@code oldSelf}
 * @param said by the definition where it is broken
 * @param isOldOptional whether it is evaluated where there was nothing before, too
 * @param fieldPath below the rule's place that it is about, as the definition writes it; may be empty
 */
record TransitionConstraint(String text, String said, boolean isOldOptional, String fieldPath) {

    private static final String RULES = "x-kubernetes-validations";

    private static final Pattern OLD = Pattern.compile("\\boldSelf\\b");

    private static final Pattern STEP = Pattern.compile("\\.([^.\\[\\]]+)|\\['((?:[^'\\\\]|\\\\.)*+)'\\]");

    private static final Pattern NAMED = Pattern.compile("\\b(?:self|oldSelf)\\b((?:\\.\\??\\w++(?!\\())*+)");

    private static final int MAX_SAID = 400;

    /** Those of one place, without rules that look at the new state alone. */
    static Iterable<TransitionConstraint> of(JsonNode schema) {
        return () -> schema.path(RULES)
                .valueStream()
                .filter(TransitionConstraint::isOne)
                .map(TransitionConstraint::read)
                .iterator();
    }

    /** Whether a schema has any, at any depth. */
    static boolean areIn(JsonNode schema) {
        return schema.path(RULES).valueStream().anyMatch(TransitionConstraint::isOne)
                || schema.valueStream().anyMatch(TransitionConstraint::areIn);
    }

    private static boolean isOne(JsonNode rule) {
        return OLD.matcher(rule.path("rule").asText()).find();
    }

    private static TransitionConstraint read(JsonNode rule) {
        var text = rule.path("rule").asText().strip();
        var message = rule.path("message").asText().strip();
        var said = (message.isEmpty() ? "failed rule: " + text : message).replaceAll("\\s+", " ");
        return new TransitionConstraint(
                text,
                said.length() <= MAX_SAID ? said : said.substring(0, MAX_SAID) + "...",
                rule.path("optionalOldSelf").asBoolean(),
                rule.path("fieldPath").asText());
    }

    /** Whether a change changes something that it names. */
    boolean mayCareAbout(JsonNode self, JsonNode old) {
        return NAMED.matcher(text).results().map(named -> named.group(1)).anyMatch(path -> {
            var before = old;
            var after = self;
            for (var name : path.replace("?", "").split("\\.", -1)) {
                if (name.contains("__")) {
                    // written otherwise in the object
                    break;
                }
                if (!name.isEmpty()) {
                    before = before.path(name);
                    after = after.path(name);
                }
            }
            return !after.equals(before);
        });
    }

    /** The field that it is about. */
    FieldPath field(FieldPath place) {
        var field = place;
        for (var steps = STEP.matcher(fieldPath); steps.find(); ) {
            field = steps.group(1) != null
                    ? field.field(steps.group(1))
                    : field.key(steps.group(2).replaceAll("\\\\(.)", "$1"));
        }
        return field;
    }
}
