package dev.gitopsinterlock.cluster.effect;

import dev.gitopsinterlock.cluster.api.ServerVersion;
import dev.gitopsinterlock.cluster.cache.NamespaceAnnotations;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.edit.EditRoute;
import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.job.rule.NewJobRoute;
import dev.gitopsinterlock.kinds.GuardedKinds;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Registers the webhooks for edits, and for new Jobs. */
final class EditWebhooks {

    @Produces
    @Singleton
    EditRoute jobs(Settings settings, NamespaceAnnotations namespaces, MeasuredEffects effects) {
        return JobKind.route(settings.levels(), namespaces, effects);
    }

    @Produces
    @Singleton
    EditRoute objects(
            Settings settings, NamespaceAnnotations namespaces, MeasuredEffects effects, ServerVersion kubernetes) {
        return GuardedKinds.route(settings.objectLevels(), namespaces, effects, kubernetes::minor);
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
