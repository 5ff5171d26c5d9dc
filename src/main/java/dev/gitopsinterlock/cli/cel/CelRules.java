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
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime.Program;
import dev.cel.runtime.CelStandardFunctions;
import dev.gitopsinterlock.crd.RuleEvaluator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates rules as the API server does. Promises: an answer only where that is the API server's, too; of what Kubernetes
 * adds to the language alone, as {@code quantity()}, it knows nothing, and says so. For one thread.
 */
final class CelRules implements RuleEvaluator {

    private static final int MOST_ITERATIONS = 100_000;
    private static final int MOST_COMPARISONS = 1_000_000;

    private static final Pattern MISSING = Pattern.compile("undeclared reference to '(\\w+)'");
    private static final Pattern ADDITION = Pattern.compile("\\+");

    private static final ScopedValue<Equality> EQUALITY = ScopedValue.newInstance();

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
    public Verdict evaluate(
            String rule, boolean isOldOptional, JsonNode schema, JsonNode self, Optional<JsonNode> oldSelf) {
        var ready = compiled.computeIfAbsent(List.of(rule, isOldOptional), key -> compile(rule, isOldOptional));
        var program = ready.program();
        if (program == null) {
            return new Verdict.Unknown(ready.problem());
        }
        if (ADDITION.matcher(rule).find() && hasUnordered(schema)) {
            return new Verdict.Unknown("it may add lists whose order does not count");
        }
        try {
            var old = oldSelf.map(value -> RuleValues.of(value, schema));
            var values =
                    Map.of("self", RuleValues.of(self, schema), "oldSelf", isOldOptional ? old : old.orElseThrow());
            return ScopedValue.where(EQUALITY, new Equality(MOST_COMPARISONS)).call(() -> program.eval(values))
                            instanceof Boolean allows
                    ? new Verdict.Evaluated(allows)
                    : new Verdict.Unknown("it is neither true nor false");
        } catch (CelEvaluationException | RuntimeException | StackOverflowError e) {
            // its message may have values in it
            return new Verdict.Unknown("it cannot be evaluated with these values, or takes too many steps");
        }
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
        var options = CelOptions.current()
                .enableHeterogeneousNumericComparisons(true)
                .comprehensionMaxIterations(MOST_ITERATIONS)
                .build();
        return CelFactory.legacyCelBuilder()
                .setOptions(options)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setStandardEnvironmentEnabled(false)
                .setStandardDeclarations(CelStandardDeclarations.newBuilder()
                        .excludeFunctions(EQUALS, NOT_EQUALS, IN)
                        .build())
                .setStandardFunctions(CelStandardFunctions.newBuilder()
                        .excludeFunctions(
                                CelStandardFunctions.StandardFunction.EQUALS,
                                CelStandardFunctions.StandardFunction.NOT_EQUALS,
                                CelStandardFunctions.StandardFunction.IN)
                        .build())
                .addFunctionDeclarations(
                        comparison("_==_", "equals"), comparison("_!=_", "not_equals"), comparison("@in", "in"))
                .addFunctionBindings(
                        CelFunctionBinding.from(
                                "equals",
                                Object.class,
                                Object.class,
                                (left, right) -> EQUALITY.get().areEqual(left, right)),
                        CelFunctionBinding.from(
                                "not_equals",
                                Object.class,
                                Object.class,
                                (left, right) -> !EQUALITY.get().areEqual(left, right)),
                        CelFunctionBinding.from(
                                "in",
                                Object.class,
                                Object.class,
                                (value, all) -> EQUALITY.get().isIn(value, all)))
                .addCompilerLibraries(CelExtensions.optional(), CelExtensions.strings(), CelExtensions.comprehensions())
                .addRuntimeLibraries(CelExtensions.optional(), CelExtensions.strings(), CelExtensions.comprehensions())
                .addVar("self", SimpleType.DYN)
                .addVar("oldSelf", typeOfOld)
                .build();
    }

    private static CelFunctionDecl comparison(String operator, String name) {
        return newFunctionDeclaration(
                operator, newGlobalOverload(name, SimpleType.BOOL, SimpleType.DYN, SimpleType.DYN));
    }
}
