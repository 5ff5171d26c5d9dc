package dev.gitopsinterlock.cluster.effect;

import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.effect.Effect;
import dev.gitopsinterlock.effect.EffectRunner;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.tracing.CurrentSpan;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Carries effects out and counts what comes of them. */
@Singleton
final class MeasuredEffects implements EffectRunner {

    private final ClusterEffects effects;
    private final EffectMetrics metrics;

    MeasuredEffects(ClusterEffects effects, EffectMetrics metrics) {
        this.effects = effects;
        this.metrics = metrics;
    }

    @Override
    public Outcome run(ApiServer caller, Effect effect, Duration patience) {
        long begin = System.nanoTime();
        var outcome = CurrentSpan.step(effect.token(), () -> {
            CurrentSpan.note("gitops-interlock.tool", effect.operation().tool().label());
            CurrentSpan.note(
                    "gitops-interlock.dry_run",
                    Boolean.toString(effect.operation().dryRun()));
            var end = effects.run(caller, effect, Deadline.in(patience));
            CurrentSpan.note("gitops-interlock.outcome", end.token());
            return end;
        });
        metrics.finished(effect, outcome, Duration.ofNanos(System.nanoTime() - begin));
        return outcome;
    }
}
