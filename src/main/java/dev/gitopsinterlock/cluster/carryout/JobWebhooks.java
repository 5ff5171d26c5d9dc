package dev.gitopsinterlock.cluster.carryout;

import dev.gitopsinterlock.cluster.cache.NamespaceAnnotations;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.job.rule.JobRoute;
import dev.gitopsinterlock.job.rule.NewJobRoute;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Registers the webhooks for Jobs. */
final class JobWebhooks {

    @Produces
    @Singleton
    JobRoute jobs(Settings settings, NamespaceAnnotations namespaces, MeasuredEffects effects) {
        return new JobRoute(settings.levels(), namespaces, effects);
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
