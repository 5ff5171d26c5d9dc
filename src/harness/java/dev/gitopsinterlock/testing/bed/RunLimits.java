package dev.gitopsinterlock.testing.bed;

import dev.gitopsinterlock.testing.run.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips integration tests that a run with a time limit of its own can no longer judge, and says why. Only where environment
 * variable {@code TESTS_UNTIL} says when that is, in Unix seconds; everywhere else all of them run.
 */
public final class RunLimits implements ExecutionCondition {

    private static final int STARTS = 20;

    /** So many starts of Java take one second, and two on a busy machine. */
    private static final Duration LONGEST = Duration.ofSeconds(6);

    /** Asking costs such a machine a while, too. */
    private static final Duration ASKED_AGAIN = Duration.ofMinutes(2);

    private static final Duration POLL = Duration.ofSeconds(10);

    private static final String STANDSTILL =
            "not run: this machine stands still, 20 starts of Java took over 6 s in place of 1 s";

    private static final Optional<Instant> UNTIL = Optional.ofNullable(System.getenv("TESTS_UNTIL"))
            .map(seconds -> Instant.ofEpochSecond(Long.parseLong(seconds)));

    private static Instant standingStillUntil = Instant.MIN;

    /** A class that is asked for again failed before, and a test that is skipped then stays failed. */
    private static final Set<String> SECOND_TRIES = ConcurrentHashMap.newKeySet();

    private static final Set<String> TRIED = ConcurrentHashMap.newKeySet();

    static {
        Awaitility.setDefaultTimeout(Patience.LIMIT);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return UNTIL.filter(_ -> isIntegrationTest(context))
                .flatMap(until -> obstacle(until, context))
                .map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("can be judged"));
    }

    private static boolean isIntegrationTest(ExtensionContext context) {
        return context.getTestClass()
                .filter(type -> type.getSimpleName().endsWith("IT"))
                .isPresent();
    }

    private static Optional<String> obstacle(Instant until, ExtensionContext context) {
        var type = context.getRequiredTestClass().getName();
        var isClass = context.getTestMethod().isEmpty();
        if (isClass && !TRIED.add(type) && SECOND_TRIES.add(type)) {
            awaitMovement(until);
        }
        return SECOND_TRIES.contains(type) ? Optional.empty() : obstacleToTheFirstTry(until, context);
    }

    private static void awaitMovement(Instant until) {
        var left = Duration.between(Instant.now(), until);
        if (left.isPositive()) {
            try {
                Awaitility.await("a machine that does not stand still")
                        .atMost(left)
                        .pollInterval(POLL)
                        .until(() -> standstill().isEmpty());
            } catch (ConditionTimeoutException e) {
                // then it is tried as things are
            }
        }
    }

    private static Optional<String> obstacleToTheFirstTry(Instant until, ExtensionContext context) {
        if (!Instant.now().isBefore(until)) {
            return Optional.of("not run: the time of this run was over");
        }
        if (context.getTestMethod().isPresent()) {
            return Optional.empty();
        }
        return ControlPlane.refusal().or(RunLimits::standstill);
    }

    /** A machine that stands still for seconds keeps none of the time limits that Kubernetes and the service have. */
    private static synchronized Optional<String> standstill() {
        var begin = Instant.now();
        if (begin.isBefore(standingStillUntil)) {
            return Optional.of(STANDSTILL);
        }
        for (int i = 0; i < STARTS; i++) {
            startJava();
        }
        var end = Instant.now();
        if (Duration.between(begin, end).compareTo(LONGEST) < 0) {
            return Optional.empty();
        }
        standingStillUntil = end.plus(ASKED_AGAIN);
        return Optional.of(STANDSTILL);
    }

    private static void startJava() {
        try {
            new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-version")
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
