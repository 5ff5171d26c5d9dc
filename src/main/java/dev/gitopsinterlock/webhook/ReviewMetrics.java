package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Effect;
import dev.gitopsinterlock.admission.Outcome;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.CarryOut;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.guidance.RolloutHeld;
import dev.gitopsinterlock.webhook.ReviewReading.Fault;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.LongStream;

/** Counts what happens to reviews. Labels are enums: no name of an object, no value of a field. */
@Singleton
final class ReviewMetrics {

    private static final Duration[] BUCKETS = LongStream.of(
                    50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 200_000, 1_000_000)
            .mapToObj(micros -> Duration.ofNanos(micros * 1_000))
            .toArray(Duration[]::new);

    private final MeterRegistry registry;

    /** Looking a meter up by its tags costs more than most decisions. */
    private final ConcurrentMap<String, Counter> outcomes = new ConcurrentHashMap<>();

    private final ConcurrentMap<Endpoint, Timer> durations = new ConcurrentHashMap<>();

    ReviewMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void decided(Endpoint endpoint, Decision decision, Duration duration) {
        switch (decision.verdict()) {
            case Allow(var because, var patch) -> outcome(endpoint, "allowed", because.name());
            case Deny(JobEditGuidance guidance) -> {
                outcome(endpoint, "denied", "immutable");
                Counter.builder("gitops.interlock.denials")
                        .description("Denied Job edits by the advice given and the tool that sent them")
                        .tag("code", guidance.code().token())
                        .tag("tool", guidance.requester().label())
                        .register(registry)
                        .increment();
            }
            case Deny(RolloutHeld held) -> outcome(endpoint, "denied", "held");
            case CarryOut(var effect) -> throw new IllegalArgumentException("not concluded: " + effect.getClass());
        }
        durations.computeIfAbsent(endpoint, this::timer).record(duration);
    }

    void carriedOut(Effect effect, Outcome outcome) {
        Counter.builder("gitops.interlock.effects")
                .description("Job edits that were to be carried out, by what came of it and the tool that sent them")
                .tag("effect", words(effect))
                .tag("outcome", words(outcome))
                .tag("tool", effect.order().tool().label())
                .tag("dry_run", Boolean.toString(effect.order().dryRun()))
                .register(registry)
                .increment();
    }

    /** {@code replace-job} of ReplaceJob. */
    private static String words(Object record) {
        return record.getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT);
    }

    void unjudgeable(Endpoint endpoint) {
        outcome(endpoint, "allowed", "unjudgeable");
    }

    void tooLarge(Endpoint endpoint) {
        outcome(endpoint, "allowed", "too_large");
    }

    void failed(Endpoint endpoint) {
        outcome(endpoint, "failed", "exception");
    }

    void malformed(Fault fault) {
        Counter.builder("gitops.interlock.malformed.requests")
                .description("Requests that were no reviews, by what was wrong")
                .tag("fault", label(fault.name()))
                .register(registry)
                .increment();
    }

    private void outcome(Endpoint endpoint, String verdict, String because) {
        outcomes.computeIfAbsent(
                        endpoint + verdict + because,
                        key -> Counter.builder("gitops.interlock.reviews")
                                .description("Reviews by verdict and the reason for it")
                                .tag("endpoint", endpoint.label())
                                .tag("verdict", verdict)
                                .tag("because", label(because))
                                .register(registry))
                .increment();
    }

    private Timer timer(Endpoint endpoint) {
        return Timer.builder("gitops.interlock.decision.duration")
                .description("From the body's arrival to the answer, without the network")
                .tag("endpoint", endpoint.label())
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private static String label(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** The paths that reviews come in on. */
    enum Endpoint {
        MUTATE_JOBS("mutate-jobs"),
        VALIDATE_JOBS("validate-jobs"),
        VALIDATE_NODES("validate-nodes"),
        VALIDATE_MACHINE_CONFIGS("validate-machineconfigs");

        private final String label;

        Endpoint(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }
}
