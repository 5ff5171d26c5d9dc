package dev.gitopsinterlock.cluster.carryout;

import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.carryout.Effect;
import dev.gitopsinterlock.carryout.Outcome;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.cache.NamespaceAnnotations;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.job.rule.JobRoute;
import dev.gitopsinterlock.job.rule.NewJobRoute;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Registers the webhooks for Jobs. */
final class JobWebhooks {

    @Produces
    @Singleton
    JobRoute jobs(Settings settings, NamespaceAnnotations namespaces, ClusterEffects effects, EffectMetrics metrics) {
        return new JobRoute(
                settings.levels(),
                namespaces,
                (caller, effect, patience) -> measured(caller, effect, patience, effects, metrics));
    }

    private static Outcome measured(
            ApiServer caller, Effect effect, Duration patience, ClusterEffects effects, EffectMetrics metrics) {
        long begin = System.nanoTime();
        var outcome = effects.carryOut(caller, effect, Deadline.in(patience));
        metrics.carriedOut(effect, outcome, Duration.ofNanos(System.nanoTime() - begin));
        return outcome;
    }

    @Produces
    @Singleton
    NewJobRoute newJobs(Settings settings, ObjectEvents events) {
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
