package dev.gitopsinterlock.testing.bed;

import static java.util.stream.Collectors.joining;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Tests that are skipped where the Go module proxy refuses what they need, or a Node cannot run: the summary says which
 * module, or what is missing. What fails to build for any other reason fails them.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(RequiresTools.All.class)
@ExtendWith(RequiresTools.Condition.class)
public @interface RequiresTools {

    /** Programs that {@code testbed tool} builds. */
    String[] value() default {};

    /** Products whose CustomResourceDefinitions {@code testbed crds} finds. */
    String[] definitions() default {};

    /** Whether a real Node has to run here. */
    boolean node() default false;

    /** What a test says itself and what an annotation of it says. */
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @ExtendWith(Condition.class)
    @interface All {

        /** All of them. */
        RequiresTools[] value();
    }

    /** Asks the test bed, which builds what it can. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            var refusals =
                    AnnotationSupport.findRepeatableAnnotations(context.getElement(), RequiresTools.class).stream()
                            .flatMap(required -> Stream.of(
                                            Stream.of(required.value()).map(Tool::refusal),
                                            Stream.of(required.definitions()).map(Tool::refusalOfDefinitions),
                                            Stream.of(
                                                    required.node() ? Tool.refusalOfNode() : Optional.<String>empty()))
                                    .flatMap(each -> each))
                            .flatMap(Optional::stream)
                            .collect(joining("; "));
            return refusals.isEmpty()
                    ? ConditionEvaluationResult.enabled("all there")
                    : ConditionEvaluationResult.disabled(refusals);
        }
    }
}
