package dev.gitopsinterlock.cluster;

import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.job.Effect;
import dev.gitopsinterlock.job.JobRoute;
import dev.gitopsinterlock.job.NewJobRoute;
import dev.gitopsinterlock.job.Outcome;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Registers the webhooks for Jobs. */
final class JobWebhooks {

    @Produces
    @Singleton
    JobRoute jobs(Settings settings, NamespaceAnnotations namespaces, JobEffects effects, EffectMetrics metrics) {
        return new JobRoute(
                settings.levels(),
                namespaces,
                (caller, effect, patience) -> measured(caller, effect, patience, effects, metrics));
    }

    private static Outcome measured(
            ApiServer caller, Effect effect, Duration patience, JobEffects effects, EffectMetrics metrics) {
        long begin = System.nanoTime();
        var outcome = effects.carryOut(caller, effect, Deadline.in(patience));
        metrics.carriedOut(effect, outcome, Duration.ofNanos(System.nanoTime() - begin));
        return outcome;
    }

    @Produces
    @Singleton
    NewJobRoute newJobs(Settings settings, JobEvents events) {
        return new NewJobRoute(
                settings.levels(),
                (caller, job, warnings) -> events.advised(
                        caller,
                        job,
                        warnings.stream()
                                .map(warning -> warning.text(settings.pages()))
                                .toList()));
    }
}
