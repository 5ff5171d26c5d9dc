package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.NotEvaluated;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.webhook.ReviewBody.Fault;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.LongStream;

/** Counts what happens to reviews. Labels are tokens: no name of an object, no value of a field. */
@Singleton
final class ReviewMetrics {

    private static final Duration[] BUCKETS = LongStream.of(
                    50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 200_000, 1_000_000)
            .mapToObj(micros -> Duration.ofNanos(micros * 1_000))
            .toArray(Duration[]::new);

    private static final String FAILED = "failed";

    private final MeterRegistry registry;

    /** Looking a meter up by its tags costs more than most decisions. */
    private final ConcurrentMap<String, Counter> counters = new ConcurrentHashMap<>();

    private final ConcurrentMap<String, Timer> durations = new ConcurrentHashMap<>();

    ReviewMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (var fault : Fault.values()) {
            malformedBy(fault);
        }
    }

    /** What nobody has asked yet is there with 0: else a burst of first reviews would be no increase. */
    void start(@Observes StartupEvent event, @All List<Route<?, ?>> routes) {
        routes.forEach(route -> durations.computeIfAbsent(route.label(), this::timer));
    }

    /** {@code endpoint} is the label of the review's route. */
    void decided(String endpoint, Decision decision, Duration duration) {
        switch (decision.verdict()) {
            case Allow(var reason, var patch) -> count(endpoint, "allowed", reason.token());
            case Deny(var denial) -> {
                count(endpoint, "denied", denial.token());
                countByLabels(denial);
                denial.previewToken().ifPresent(this::previewed);
            }
        }
        durations.computeIfAbsent(endpoint, this::timer).record(duration);
    }

    private void countByLabels(Denial denial) {
        if (!denial.labels().isEmpty()) {
            var counter = Counter.builder("gitops.interlock.denials")
                    .description("Denied Job edits by the advice given and the tool that sent them");
            denial.labels().forEach(counter::tag);
            counter.register(registry).increment();
        }
    }

    private void previewed(String token) {
        Counter.builder("gitops.interlock.previews")
                .description("Refused edits by what would have become of them under Replace")
                .tag("result", token)
                .register(registry)
                .increment();
    }

    void notEvaluated(String endpoint, NotEvaluated why) {
        count(endpoint, "allowed", why.token());
    }

    void failed(String endpoint) {
        counter(endpoint, FAILED, "exception").increment();
    }

    void malformed(Fault fault) {
        malformedBy(fault).increment();
    }

    private Counter malformedBy(Fault fault) {
        return Counter.builder("gitops.interlock.malformed.requests")
                .description("Requests that were no reviews, by what was wrong")
                .tag("fault", fault.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private void count(String endpoint, String verdict, String reason) {
        counter(endpoint, verdict, reason).increment();
    }

    private Counter counter(String endpoint, String verdict, String reason) {
        return counters.computeIfAbsent(
                endpoint + verdict + reason,
                key -> Counter.builder("gitops.interlock.reviews")
                        .description("Reviews by verdict and the reason for it")
                        .tag("endpoint", endpoint)
                        .tag("verdict", verdict)
                        .tag("reason", reason)
                        .register(registry));
    }

    /** The timer of a webhook, beside its failures. */
    private Timer timer(String endpoint) {
        counter(endpoint, FAILED, "exception");
        return Timer.builder("gitops.interlock.decision.duration")
                .description("From the body's arrival to the answer, without the network")
                .tag("endpoint", endpoint)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }
}
