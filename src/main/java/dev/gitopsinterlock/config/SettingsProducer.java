package dev.gitopsinterlock.config;

import dev.gitopsinterlock.admission.GuidancePages;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/** Makes the settings, once. The serving certificate, which is needed first, refuses to start on severe problems. */
final class SettingsProducer {

    @Produces
    @Singleton
    CheckedSettings checkedSettings(Config config) {
        var checked = SettingsReader.read(config);
        for (var problem : Arguments.problems()) {
            checked = checked.with(Optional.of(problem));
        }
        return checked;
    }

    @Produces
    @Singleton
    Settings settings(CheckedSettings checked) {
        return checked.settings();
    }

    @Produces
    @Singleton
    GuidancePages pages(Settings settings) {
        return settings.pages();
    }
}
