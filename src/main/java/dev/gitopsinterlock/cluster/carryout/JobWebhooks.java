package dev.gitopsinterlock.cluster.carryout;

import dev.gitopsinterlock.cluster.cache.NamespaceAnnotations;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.edit.EditRoute;
import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.job.rule.NewJobRoute;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Registers the webhooks for Jobs. */
final class JobWebhooks {

    @Produces
    @Singleton
    EditRoute jobs(Settings settings, NamespaceAnnotations namespaces, MeasuredEffects effects) {
        return JobKind.route(settings.levels(), namespaces, effects);
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
