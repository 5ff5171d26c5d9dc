package dev.gitopsinterlock.cli.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.crd.RuleEvaluator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What evaluates rules here, made when the first one comes: that takes a second. */
public final class RuleEvaluators implements RuleEvaluator {

    private @Nullable RuleEvaluator evaluator;

    @Override
    public RuleEvaluator forObject() {
        if (evaluator != null) {
            evaluator.forObject();
        }
        return this;
    }

    @Override
    public Verdict evaluate(
            String rule, boolean isOldOptional, JsonNode schema, JsonNode self, Optional<JsonNode> oldSelf) {
        var made = evaluator;
        if (made == null) {
            made = make();
            evaluator = made;
        }
        return made.evaluate(rule, isOldOptional, schema, self, oldSelf);
    }

    /** The image has no libraries for it. */
    private static RuleEvaluator make() {
        try {
            return new CelRules();
        } catch (NoClassDefFoundError e) {
            return (rule, isOldOptional, schema, self, oldSelf) ->
                    new Verdict.Unknown("the image does not evaluate rules; the archive of the command line does");
        }
    }
}
