package dev.gitopsinterlock.cluster.effect;

import dev.gitopsinterlock.effect.Effect;
import dev.gitopsinterlock.effect.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.stream.LongStream;

/** Counts what came of edits that were to be carried out. Labels are tokens: no name of an object, no value of a field. */
@Singleton
final class EffectMetrics {

    private static final Duration[] BUCKETS = LongStream.of(50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final Counter gone;

    EffectMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.gone = gone(registry);
    }

    /** Objects that are no longer there, by whichever way; 0 from the start, because one is enough for an alert. */
    static Counter gone(MeterRegistry registry) {
        return Counter.builder("gitops.interlock.objects.gone")
                .description(
                        "Objects that were deleted in order to be replaced, and that nobody has created again, as far as is known")
                .register(registry);
    }

    void finished(Effect effect, Outcome outcome, Duration duration) {
        if (outcome instanceof Outcome.RecreateFailed) {
            gone.increment();
        }
        Counter.builder("gitops.interlock.effects")
                .description("Edits that were to be carried out, by what came of it and the tool that sent them")
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
                .serviceLevelObjectives(BUCKETS)
                .register(registry)
                .record(duration);
    }
}
