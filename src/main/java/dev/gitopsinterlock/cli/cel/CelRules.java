package dev.gitopsinterlock.cli.cel;

import static dev.cel.checker.CelStandardDeclarations.StandardFunction.EQUALS;
import static dev.cel.checker.CelStandardDeclarations.StandardFunction.IN;
import static dev.cel.checker.CelStandardDeclarations.StandardFunction.NOT_EQUALS;
import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newGlobalOverload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.checker.CelStandardDeclarations;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime.Program;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.CelStandardOverload;
import dev.cel.runtime.standard.DoubleFunction.DoubleOverload;
import dev.cel.runtime.standard.GreaterEqualsOperator.GreaterEqualsOverload;
import dev.cel.runtime.standard.GreaterOperator.GreaterOverload;
import dev.cel.runtime.standard.IntFunction.IntOverload;
import dev.cel.runtime.standard.LessEqualsOperator.LessEqualsOverload;
import dev.cel.runtime.standard.LessOperator.LessOverload;
import dev.cel.runtime.standard.StringFunction.StringOverload;
import dev.gitopsinterlock.crd.RuleEvaluator;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates rules as the API server does, with most of what Kubernetes adds to the language. Promises: an answer only where
 * that is the API server's, too, within {@link Budget}. For one thread.
 */
final class CelRules implements RuleEvaluator {

    private static final Duration OF_RUN = Duration.ofMinutes(1);

    /** Of a text, that one step reads. */
    private static final int CHARACTERS = 10;

    private static final Pattern MISSING =
            Pattern.compile("(?:undeclared reference to|no matching overload for) '([\\w.]+)'");
    private static final Pattern ADDITION = Pattern.compile("\\+");

    /** One that joins or replaces makes a text of any size in one step. */
    private static final CelStringExtensions STRINGS = CelExtensions.strings(
            EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.JOIN, CelStringExtensions.Function.REPLACE)));

    private static final Set<CelStandardFunctions.StandardFunction> OWN = EnumSet.of(
            CelStandardFunctions.StandardFunction.EQUALS,
            CelStandardFunctions.StandardFunction.NOT_EQUALS,
            CelStandardFunctions.StandardFunction.IN);

    /** They order, read and write texts otherwise than Kubernetes. */
    private static final Set<CelStandardOverload> OTHERWISE_THAN_GO = Set.of(
            LessOverload.LESS_STRING,
            LessEqualsOverload.LESS_EQUALS_STRING,
            GreaterOverload.GREATER_STRING,
            GreaterEqualsOverload.GREATER_EQUALS_STRING,
            StringOverload.DOUBLE_TO_STRING,
            StringOverload.TIMESTAMP_TO_STRING,
            DoubleOverload.STRING_TO_DOUBLE,
            IntOverload.STRING_TO_INT64);

    private static final KubernetesFunctions FUNCTIONS = new KubernetesFunctions();

    private final Budget budget = new Budget(OF_RUN);
    private final Equality equality = new Equality(budget);
    private final Cel required = language(SimpleType.DYN);
    private final Cel optional = language(OptionalType.create(SimpleType.DYN));
    private final Map<List<Object>, Compiled> compiled = new HashMap<>();

    /**
     * A rule, ready to be evaluated.
     *
     * @param problem why it is not
     */
    private record Compiled(@Nullable Program program, String problem) {}

    @Override
    public RuleEvaluator forObject() {
        budget.beginObject();
        return this;
    }

    @Override
    public Verdict evaluate(
            String rule, boolean isOldOptional, JsonNode schema, JsonNode self, Optional<JsonNode> oldSelf) {
        var ready = compiled.computeIfAbsent(List.of(rule, isOldOptional), key -> compile(rule, isOldOptional));
        var program = ready.program();
        if (program == null) {
            return new Verdict.Unknown(ready.problem());
        }
        return budget.withinTime(() -> ADDITION.matcher(rule).find() && hasUnordered(schema)
                        ? new Verdict.Unknown("it may add lists whose order does not count")
                        : evaluate(program, isOldOptional, schema, self, oldSelf))
                .orElse(new Verdict.Unknown("the rules of this change take too long"));
    }

    private Verdict evaluate(
            Program program, boolean isOldOptional, JsonNode schema, JsonNode self, Optional<JsonNode> oldSelf) {
        budget.beginRule();
        try {
            var old = oldSelf.map(value -> RuleValues.of(value, schema));
            var values =
                    Map.of("self", RuleValues.of(self, schema), "oldSelf", isOldOptional ? old : old.orElseThrow());
            return equality.evaluate(() ->
                                    program.trace(values, (expression, result) -> budget.spend(1 + sizeOf(result))))
                            instanceof Boolean allows
                    ? new Verdict.Evaluated(allows)
                    : new Verdict.Unknown("it is neither true nor false");
        } catch (CelEvaluationException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
            // its message may have values in it
            return new Verdict.Unknown(
                    budget.isSpentTogether()
                            ? "the rules of this object take too many steps together"
                            : budget.isSpent()
                                    ? "it takes too many steps"
                                    : "it cannot be evaluated with these values");
        }
    }

    /** In steps: a text takes some when it is made and when it is read, a list only when it is too long for any rule. */
    private static long sizeOf(@Nullable Object value) {
        return switch (value) {
            case String text -> text.length() / CHARACTERS;
            case CelByteString bytes -> bytes.size() / CHARACTERS;
            case List<?> list when list.size() > Budget.OF_RULE -> list.size();
            case null, default -> 0;
        };
    }

    private static boolean hasUnordered(JsonNode schema) {
        return List.of("set", "map")
                        .contains(schema.path("x-kubernetes-list-type").asText())
                || schema.valueStream().anyMatch(CelRules::hasUnordered);
    }

    private Compiled compile(String rule, boolean isOldOptional) {
        var language = isOldOptional ? optional : required;
        try {
            return new Compiled(language.createProgram(language.compile(rule).getAst()), "");
        } catch (CelValidationException e) {
            var missing = MISSING.matcher(String.valueOf(e.getMessage()));
            return new Compiled(null, missing.find() ? "it needs " + missing.group(1) + "()" : "it does not compile");
        } catch (CelEvaluationException e) {
            return new Compiled(null, "it does not compile");
        }
    }

    /** With an equality of our own, because the order of some lists does not count. */
    private static Cel language(CelType typeOfOld) {
        var options =
                CelOptions.current().enableHeterogeneousNumericComparisons(true).build();
        return CelFactory.legacyCelBuilder()
                .setOptions(options)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setStandardEnvironmentEnabled(false)
                .setStandardDeclarations(CelStandardDeclarations.newBuilder()
                        .excludeFunctions(EQUALS, NOT_EQUALS, IN)
                        .build())
                .setStandardFunctions(CelStandardFunctions.newBuilder()
                        .filterFunctions((function, overload) ->
                                !OWN.contains(function) && !OTHERWISE_THAN_GO.contains(overload))
                        .build())
                .addFunctionDeclarations(
                        comparison("_==_", "equals"), comparison("_!=_", "not_equals"), comparison("@in", "in"))
                .addFunctionBindings(
                        order("less_string", -1, false),
                        order("less_equals_string", -1, true),
                        order("greater_string", 1, false),
                        order("greater_equals_string", 1, true),
                        CelFunctionBinding.from(
                                "equals",
                                Object.class,
                                Object.class,
                                (left, right) -> Equality.now().areEqual(left, right)),
                        CelFunctionBinding.from(
                                "not_equals",
                                Object.class,
                                Object.class,
                                (left, right) -> !Equality.now().areEqual(left, right)),
                        CelFunctionBinding.from(
                                "in",
                                Object.class,
                                Object.class,
                                (value, all) -> Equality.now().isIn(value, all)))
                .addCompilerLibraries(CelExtensions.optional(), STRINGS, CelExtensions.comprehensions(), FUNCTIONS)
                .addRuntimeLibraries(CelExtensions.optional(), STRINGS, CelExtensions.comprehensions(), FUNCTIONS)
                .addVar("self", SimpleType.DYN)
                .addVar("oldSelf", typeOfOld)
                .build();
    }

    private static CelFunctionBinding order(String name, int sign, boolean alsoEqual) {
        return CelFunctionBinding.from(name, String.class, String.class, (left, right) -> {
            var order = Integer.signum(KubernetesFunctions.compareTexts(left, right));
            return order == sign || (alsoEqual && order == 0);
        });
    }

    private static CelFunctionDecl comparison(String operator, String name) {
        return newFunctionDeclaration(
                operator, newGlobalOverload(name, SimpleType.BOOL, SimpleType.DYN, SimpleType.DYN));
    }
}
