package dev.gitopsinterlock.cluster.carryout;

import dev.gitopsinterlock.cluster.api.ServerVersion;
import dev.gitopsinterlock.cluster.cache.NamespaceAnnotations;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.edit.EditRoute;
import dev.gitopsinterlock.kinds.GuardedKinds;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Registers the webhook for kinds beside Job. */
final class ObjectWebhooks {

    @Produces
    @Singleton
    EditRoute objects(
            Settings settings, NamespaceAnnotations namespaces, MeasuredEffects effects, ServerVersion kubernetes) {
        return GuardedKinds.route(settings.objectLevels(), namespaces, effects, kubernetes::minor);
    }
}
