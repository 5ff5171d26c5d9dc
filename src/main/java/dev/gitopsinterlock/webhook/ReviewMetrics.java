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

    private static final Duration[] EFFECT_BUCKETS = LongStream.of(50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
            .mapToObj(Duration::ofMillis)
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
            case Allow(var reason, var patch) -> outcome(endpoint, "allowed", reason.token());
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

    void carriedOut(Effect effect, Outcome outcome, Duration duration) {
        Counter.builder("gitops.interlock.effects")
                .description("Job edits that were to be carried out, by what came of it and the tool that sent them")
                .tag("effect", effect.token())
                .tag("outcome", outcome.token())
                .tag("tool", effect.operation().tool().label())
                .tag("dry_run", Boolean.toString(effect.operation().dryRun()))
                .register(registry)
                .increment();
        Timer.builder("gitops.interlock.effect.duration")
                .description("How long an edit waited for what is done in the cluster, however it ended")
                .tag("effect", effect.token())
                .tag("dry_run", Boolean.toString(effect.operation().dryRun()))
                .serviceLevelObjectives(EFFECT_BUCKETS)
                .register(registry)
                .record(duration);
    }

    void unsupported(Endpoint endpoint) {
        outcome(endpoint, "allowed", "unsupported");
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
                .tag("fault", fault.name().toLowerCase(Locale.ROOT))
                .register(registry)
                .increment();
    }

    private void outcome(Endpoint endpoint, String verdict, String reason) {
        outcomes.computeIfAbsent(
                        endpoint + verdict + reason,
                        key -> Counter.builder("gitops.interlock.reviews")
                                .description("Reviews by verdict and the reason for it")
                                .tag("endpoint", endpoint.label())
                                .tag("verdict", verdict)
                                .tag("reason", reason)
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
